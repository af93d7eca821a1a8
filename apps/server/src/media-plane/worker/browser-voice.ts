import { encodeSound, sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { soundPayloadTypes } from "@leadline/adapter-kit/rtp/rtp-description";

import type { BrowserLeg } from "./browser-leg.ts";
import type { Voice } from "./mixture.ts";
import { createPlayout } from "./playout.ts";

/** A browser's part in a mixture. */
export function joinBrowser(browser: BrowserLeg): { voice: Voice; goOut: () => void } {
  const playout = createPlayout();
  browser.onPacket = (packet, { codec }) => {
    const read = codec && browser.decoder.read(packet, codec);
    if (read) playout.add(read, read.samples);
  };
  return {
    voice: {
      speak: playout.next,
      isBrowser: true,
      hears: () => true,
      takeKey: () => {},
      listen(samples) {
        const { codec, stream } = browser;
        const payload = encodeSound(samples, codec);
        browser.send(stream.own(soundPayloadTypes[codec], { payload, clockRate: sampleRate }));
      },
    },
    goOut: () => void (browser.onPacket = null),
  };
}
