import { toneOfKey } from "@leadline/adapter-kit/rtp/key-tones";
import {
  clockRates,
  payloadTypeOf,
  type RtpCodec,
  type RtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { isKey, rescaleKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { BrowserLeg } from "./browser-leg.ts";
import { createKeyQueue } from "./digit-queue.ts";
import type { PacketListener } from "./listeners.ts";
import { telephoneEventFor } from "./packet-formats.ts";
import type { createRtpStream } from "./rtp-stream.ts";
import { type SoundEncoder, silenceIn } from "./audio-codecs.ts";
import { translatePacket } from "./translate-packet.ts";

/**
 * Longer than a browser's jitter: after this we send silence of our own, because some carriers drop a line without
 * packets.
 */
const browserSilentMs = 100;

/** What a far end hears: a browser's packets passed through, a mix in 20 ms steps, or silence. */
export type Feed = { pass: BrowserLeg } | { mix: () => Int16Array } | null;

/** The far end's description, and the codec that it is sent. */
type Peer = RtpDescription & { codec: RtpCodec };

/** What a far end is sent: its feed, silence, and keys, which take precedence. Nothing before its description is known. */
export function createFarEndSender({
  send,
  stream,
  encoder,
}: {
  send: (packet: RtpPacket) => void;
  stream: ReturnType<typeof createRtpStream>;
  encoder: SoundEncoder;
}) {
  const keys = createKeyQueue();
  let keyTimestamp = 0;
  let peer: Peer | null = null;
  /** Whether the far end is sent anything: not while it has put us on hold. */
  let sends = false;
  let feed: Feed = null;
  let stopPassing = (): void => {};
  let browserSentMs = -Infinity;
  /** The clock rate of the browser's latest audio, which also times its telephone events. */
  let browserClock = clockRates.PCMU;

  /** Sends our own 8 kHz audio in the far end's codec. */
  function sendSamples(to: Peer, samples: Int16Array): void {
    const payload = encoder.encode(samples, to.codec);
    if (payload) sendSound(to, payload);
  }

  function sendSound(to: Peer, payload: Buffer): void {
    send(stream.own(payloadTypeOf(to.codec, to), { payload, clockRate: clockRates[to.codec] }));
  }

  function sendKey(to: Peer, key: NonNullable<ReturnType<typeof keys.next>>): void {
    const as = telephoneEventFor(to.codec, to);
    if (as) {
      const clockRate = clockRates[to.codec];
      if (key.first) keyTimestamp = stream.nextTimestamp(clockRate);
      const payload = rescaleKey(key.payload, clockRates.PCMU, as.clockRate);
      send(stream.own(as.payloadType, { payload, clockRate, marker: key.marker, timestamp: keyTimestamp }));
    } else if (key.tonePart === null) sendSound(to, silenceIn[to.codec]);
    else sendSamples(to, toneOfKey(key.key, key.tonePart));
  }

  const passFrom =
    (browser: BrowserLeg): PacketListener =>
    (packet, format) => {
      browserSentMs = performance.now();
      if (!peer || !sends || !keys.isEmpty()) return;
      if (format?.codec) browserClock = format.clockRate;
      const { codec } = peer;
      const { decoder: reader } = browser;
      const passed = format && translatePacket(packet, format, { codec, types: peer }, { decoder: reader, encoder });
      if (!passed) return stream.leaveOut(packet);
      const clocks = { from: browserClock, to: clockRates[codec] };
      const forwarded = stream.pass(packet, { ...passed, clocks });
      if (forwarded) send(forwarded);
    };

  return {
    peer: () => peer,
    /** takes: whether it wants to hear us. */
    setPeer(next: Peer, { takes }: { takes: boolean }): void {
      peer = next;
      // What it wasn't sent meanwhile isn't a loss.
      if (takes && !sends) stream.rejoin();
      sends = takes;
    },
    hear(next: Feed): void {
      stopPassing();
      stopPassing = next && "pass" in next ? next.pass.onPacket(passFrom(next.pass)) : () => {};
      if (!next || !("pass" in next)) browserSentMs = -Infinity;
      feed = next;
      keys.dropPassed();
    },
    takeKey(key: string): void {
      if (peer && telephoneEventFor(peer.codec, peer)) keys.pass(key);
    },
    takesKeyEvents: (): boolean => !peer || telephoneEventFor(peer.codec, peer) !== null,
    sendDigits(digits: string): void {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      keys.add(digits);
    },
    tick(): void {
      if (!peer || !sends) return;
      const key = keys.next();
      if (key) sendKey(peer, key);
      else if (feed && "mix" in feed) sendSamples(peer, feed.mix());
      else if (performance.now() - browserSentMs > browserSilentMs) sendSound(peer, silenceIn[peer.codec]);
    },
    stopPassing: (): void => stopPassing(),
  };
}
