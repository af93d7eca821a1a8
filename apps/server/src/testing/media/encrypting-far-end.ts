import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import {
  type CryptoSuite,
  cryptoSuites,
  drawSdesKeys,
  readSdesKeys,
  type SdesKey,
  withSdesKeys,
} from "@leadline/adapter-kit/rtp/sdes";

import { createSealing } from "../../media-plane/worker/srtp-encryption.ts";

const keysType = 126;

/**
 * For tests: a phone that only sends and receives encrypted packets, with a key of its own in reply to an offered one.
 */
export async function openSrtpFarEnd() {
  let offered = "";
  let key: SdesKey | null = null;
  let sealing = createSealing([]);
  const endpoint = await openRtpEndpoint({
    telephoneEventType: keysType,
    sealing: { encrypt: (packet) => sealing.encrypt(packet), open: (datagram) => sealing.open(datagram) },
  });

  function drawKey(suite: CryptoSuite = cryptoSuites[0]): void {
    const theirs = readSdesKeys(offered).filter((each) => each.suite === suite);
    const drawn = drawSdesKeys().filter((each) => each.suite === suite);
    sealing = createSealing(drawn);
    sealing.agree(withSdesKeys(offered, theirs));
    key = drawn.map((each) => ({ ...each, tag: theirs[0]?.tag ?? 0 }))[0] ?? null;
  }

  return {
    ...endpoint,
    keysType,
    clearOffer: endpoint.offer,
    get offer() {
      return withSdesKeys(endpoint.offer, key ? [key] : []).replace("RTP/AVP", "RTP/SAVP");
    },
    acceptAnswer(sdp: string): void {
      offered = sdp;
      drawKey();
      endpoint.acceptAnswer(sdp);
    },
    /** From now on encrypts with another key, and decrypts with the one that it was offered for that suite. */
    drawKey,
    speakClear: (): void => sealing.agree(""),
  };
}
