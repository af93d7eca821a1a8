import type { BrowserContext } from "playwright-core";

declare global {
  interface Window {
    /** Milliseconds since the epoch of each click on Call, and of the latest frames of remote RTP. */
    pressedAt: number[];
    framesAt: number[];
    /** The frames among those whose µ-law audio is loud. */
    soundAt: number[];
  }
}

/**
 * Records when Call is clicked and when frames of remote RTP arrive. Call it before the first page is opened. A worker
 * timestamps the frames, independently of the page's rendering (WebRTC Encoded Transform); the context bypasses the
 * page's CSP.
 */
export async function stampFirstPacket(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.pressedAt = [];
    window.framesAt = [];
    window.soundAt = [];
    const nowMs = (): number => performance.timeOrigin + performance.now();
    document.addEventListener(
      "click",
      ({ target }) => {
        const button = target instanceof Element ? target.closest("button") : null;
        if (button?.textContent === "Call") window.pressedAt.push(nowMs());
      },
      { capture: true },
    );
    // µ-law bytes are stored inverted, with the loudness in bits 4 to 6: 4 or more for samples from 1,980 on (G.711).
    const inWorker = `onrtctransform = ({ transformer }) => {
      const stamp = new TransformStream({
        transform(frame, controller) {
          const atMs = performance.timeOrigin + performance.now();
          const isLoud = new Uint8Array(frame.data).some((byte) => ((~byte >> 4) & 7) > 3);
          postMessage({ atMs, isLoud });
          controller.enqueue(frame);
        },
      });
      void transformer.readable.pipeThrough(stamp).pipeTo(transformer.writable);
    };`;
    const worker = new Worker(URL.createObjectURL(new Blob([inWorker], { type: "text/javascript" })));
    const keep = (times: number[], atMs: number): void => {
      times.push(atMs);
      if (times.length > 5_000) times.splice(0, 2_500);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<{ atMs: number; isLoud: boolean }>) => {
      keep(window.framesAt, data.atMs);
      if (data.isLoud) keep(window.soundAt, data.atMs);
    });
    window.RTCPeerConnection = class extends RTCPeerConnection {
      override addTrack(track: MediaStreamTrack, ...streams: MediaStream[]): RTCRtpSender {
        const sender = super.addTrack(track, ...streams);
        const transceiver = this.getTransceivers().find((each) => each.sender === sender);
        if (transceiver) transceiver.receiver.transform = new RTCRtpScriptTransform(worker);
        return sender;
      }
      override addTransceiver(what: MediaStreamTrack | string, init?: RTCRtpTransceiverInit): RTCRtpTransceiver {
        const transceiver = super.addTransceiver(what, init);
        transceiver.receiver.transform = new RTCRtpScriptTransform(worker);
        return transceiver;
      }
    };
  });
}
