import type { BrowserContext } from "playwright-core";

declare global {
  interface Window {
    /** performance.now() of each press of Call, and of the newest frames of remote RTP. */
    pressedAt: number[];
    framesAt: number[];
  }
  /** Chromium's encoded streams: every frame of RTP passes through before it is decoded. */
  interface RTCRtpReceiver {
    createEncodedStreams(): { readable: ReadableStream; writable: WritableStream };
  }
  interface RTCRtpSender {
    createEncodedStreams(): { readable: ReadableStream; writable: WritableStream };
  }
}

/** Notes when Call is pressed and when frames of remote RTP arrive. Before the first page is opened. */
export async function stampFirstPacket(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.pressedAt = [];
    window.framesAt = [];
    document.addEventListener(
      "click",
      ({ target }) => {
        const button = target instanceof Element ? target.closest("button") : null;
        if (button?.textContent === "Call") window.pressedAt.push(performance.now());
      },
      { capture: true },
    );
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, encodedInsertableStreams: true } as RTCConfiguration);
      }
      override addTransceiver(what: MediaStreamTrack | string, init?: RTCRtpTransceiverInit): RTCRtpTransceiver {
        const transceiver = super.addTransceiver(what, init);
        const sent = transceiver.sender.createEncodedStreams();
        void sent.readable.pipeTo(sent.writable);
        const received = transceiver.receiver.createEncodedStreams();
        const stamp = new TransformStream({
          transform(frame, controller) {
            window.framesAt.push(performance.now());
            if (window.framesAt.length > 5_000) window.framesAt.splice(0, 2_500);
            controller.enqueue(frame);
          },
        });
        void received.readable.pipeThrough(stamp).pipeTo(received.writable);
        return transceiver;
      }
    };
  });
}
