import { decodeSound, encodeSound } from "@leadline/adapter-kit/rtp/g711";
import { soundCodecOf, soundPayloadTypes } from "@leadline/adapter-kit/rtp/rtp-description";

import type { BrowserLeg } from "./browser-leg.ts";
import type { Voice } from "./mixture.ts";
import { createPlayout } from "./playout.ts";

/** A browser's part in a mixture. */
export function joinBrowser(browser: BrowserLeg): { voice: Voice; goOut: () => void } {
  const playout = createPlayout();
  browser.onPacket = (packet) => {
    const codec = soundCodecOf(packet.payloadType);
    if (codec !== null) playout.add(packet, decodeSound(packet.payload, codec));
  };
  return {
    voice: {
      speak: playout.next,
      isBrowser: true,
      hears: () => true,
      takeKey: () => {},
      listen(samples) {
        const { codec, stream } = browser;
        browser.send(stream.own(soundPayloadTypes[codec], { payload: encodeSound(samples, codec) }));
      },
    },
    goOut: () => void (browser.onPacket = null),
  };
}
