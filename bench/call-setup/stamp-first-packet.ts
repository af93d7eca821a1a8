import type { BrowserContext } from "playwright-core";

declare global {
  interface Window {
    /** Milliseconds since the epoch of each press of Call, and of the newest frames of remote RTP. */
    pressedAt: number[];
    framesAt: number[];
  }
}

/**
 * Notes when Call is pressed and when frames of remote RTP arrive, before the first page is opened. The frames are stamped in
 * a worker, where they arrive whatever the page is drawing (WebRTC Encoded Transform); the context bypasses the page's CSP.
 */
export async function stampFirstPacket(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.pressedAt = [];
    window.framesAt = [];
    const nowMs = (): number => performance.timeOrigin + performance.now();
    document.addEventListener(
      "click",
      ({ target }) => {
        const button = target instanceof Element ? target.closest("button") : null;
        if (button?.textContent === "Call") window.pressedAt.push(nowMs());
      },
      { capture: true },
    );
    const inWorker = `onrtctransform = ({ transformer }) => {
      const stamp = new TransformStream({
        transform(frame, controller) {
          postMessage(performance.timeOrigin + performance.now());
          controller.enqueue(frame);
        },
      });
      void transformer.readable.pipeThrough(stamp).pipeTo(transformer.writable);
    };`;
    const worker = new Worker(URL.createObjectURL(new Blob([inWorker], { type: "text/javascript" })));
    worker.addEventListener("message", ({ data }: MessageEvent<number>) => {
      window.framesAt.push(data);
      if (window.framesAt.length > 5_000) window.framesAt.splice(0, 2_500);
    });
    window.RTCPeerConnection = class extends RTCPeerConnection {
      override addTransceiver(what: MediaStreamTrack | string, init?: RTCRtpTransceiverInit): RTCRtpTransceiver {
        const transceiver = super.addTransceiver(what, init);
        transceiver.receiver.transform = new RTCRtpScriptTransform(worker);
        return transceiver;
      }
    };
  });
}
