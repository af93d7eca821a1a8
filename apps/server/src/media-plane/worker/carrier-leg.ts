import { toneOfKey } from "@leadline/adapter-kit/rtp/key-tones";
import {
  clockRates,
  type PayloadTypes,
  payloadTypeOf,
  readRtpDescription,
  type RtpCodec,
  type RtpDescription,
  isNowhere,
  takesSound,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { isRtcp } from "@leadline/adapter-kit/rtp/rtcp";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { openRtpSocketEverywhere, senderOf } from "@leadline/adapter-kit/rtp/rtp-socket";
import { drawSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { isKey, rescaleKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { LegStats } from "../media-plane.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import { createKeyQueue } from "./digit-queue.ts";
import { createListeners, type Listeners, type PacketListener } from "./listeners.ts";
import { createFarEndLatch } from "./far-end-latch.ts";
import { formatOf, keysBeside } from "./packet-formats.ts";
import { createRtcpSession } from "./rtcp-session.ts";
import { createReception } from "./reception.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSealing } from "./srtp-encryption.ts";
import {
  createSoundDecoder,
  createSoundEncoder,
  type SoundDecoder,
  type SoundEncoder,
  silenceIn,
} from "./audio-codecs.ts";
import { translatePacket } from "./translate-packet.ts";

/**
 * Longer than a browser's jitter: after this we send silence of our own, because some carriers drop a line without
 * packets.
 */
const browserSilentMs = 100;
/** The codecs that we accept; the trunk's settings set their order. */
const ourCodecs: RtpCodec[] = ["PCMU", "PCMA", "G722", "opus"];
const usualTypes: PayloadTypes = { telephoneEventType: 101, opus: { payloadType: 111, telephoneEventType: 110 } };

/** What a far end hears: a browser's packets passed through, a mix in 20 ms steps, or silence. */
type Feed = { pass: BrowserLeg } | { mix: () => Int16Array } | null;

export interface CarrierLeg extends Listeners {
  side: "carrier";
  offer: string;
  decoder: SoundDecoder;
  encoder: SoundEncoder;
  acceptAnswer(sdp: string): void;
  /** Replaces what the far end hears. */
  hear(feed: Feed): void;
  /** Queues a digit that another far end pressed. */
  takeKey(key: string): void;
  takesKeyEvents(): boolean;
  sendDigits(digits: string): void;
  /** Every 20 ms: sends a digit, the mix, or silence if no browser sends. */
  tick(): void;
  stats(): LegStats;
  close(): void;
}

/** The address for a far end on this machine; a remote one gets our address from its carrier. */
const describedHost = "127.0.0.1";

/** The far end's description, and the codec that it is sent. */
type Peer = RtpDescription & { codec: RtpCodec };

/** `telephoneEventType`: for a far end that was offered G.711 only, with this payload type for telephone events. */
export async function openCarrierLeg({
  telephoneEventType,
}: { telephoneEventType?: number } = {}): Promise<CarrierLeg> {
  const ourTypes = telephoneEventType === undefined ? usualTypes : { telephoneEventType };
  const socket = await openRtpSocketEverywhere();
  const stream = createRtpStream();
  const reception = createReception();
  const keys = createKeyQueue();
  const ourKeys = drawSdesKeys();
  const srtp = createSealing(ourKeys);
  const latch = createFarEndLatch();
  const reports = createRtcpSession({ socket, latch, stream, reception, sealing: srtp });
  let keyTimestamp = 0;
  const decoder = createSoundDecoder();
  const listeners = createListeners(decoder);
  const encoder = createSoundEncoder();
  let peer: Peer | null = null;
  /** Whether the far end is sent anything: not while it has put us on hold. */
  let sends = false;
  let feed: Feed = null;
  let stopPassing = (): void => {};
  let browserSentMs = -Infinity;
  /** The clock rate of the browser's latest audio, which also times its telephone events. */
  let browserClock = clockRates.PCMU;

  function send(packet: RtpPacket | null): void {
    const to = latch.address();
    if (packet && to) socket.send(srtp.seal(packet), to.port, to.host);
  }

  /** Sends our own 8 kHz audio in the far end's codec. */
  function sendSamples(samples: Int16Array): void {
    const payload = peer && encoder.encode(samples, peer.codec);
    if (payload) sendSound(payload);
  }

  function sendSound(payload: Buffer): void {
    if (!peer) return;
    const clockRate = clockRates[peer.codec];
    send(stream.own(payloadTypeOf(peer.codec, peer), { payload, clockRate }));
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
      const clocks = { from: browserClock, to: clockRates[codec] };
      if (passed) send(stream.pass(packet, { ...passed, clocks }));
      else stream.leaveOut(packet);
    };

  socket.on("message", (datagram, from) => {
    if (!peer) return;
    if (isRtcp(datagram)) return reports.hear(datagram, from);
    const packet = srtp.open(datagram);
    if (!packet || !latch.takes({ host: senderOf(from), port: from.port })) return;
    // A far end that answered our offer sends our payload types; one that offered sends its own (RFC 3264, sections 5.1
    // and 6.1).
    const format = formatOf(packet.payloadType, peer) ?? formatOf(packet.payloadType, ourTypes);
    reception.note(packet, format);
    listeners.emit(packet, format);
  });

  return {
    side: "carrier",
    onPacket: listeners.onPacket,
    listen: listeners.listen,
    decoder,
    encoder,
    offer: withSdesKeys(
      writeRtpDescription({
        host: describedHost,
        port: socket.address().port,
        codecs: ourCodecs,
        rtcpMux: true,
        ...ourTypes,
      }),
      ourKeys,
    ),
    acceptAnswer(sdp) {
      const description = readRtpDescription(sdp);
      const codec = description?.codecs[0];
      if (!description || codec === undefined)
        throw new Error("The carrier's answer has no audio line in a codec of ours.");
      srtp.agree(sdp);
      if (!isNowhere(description.host)) latch.signal(description);
      reports.signal(description);
      peer = { ...description, codec };
      const takes = takesSound(description);
      // What it wasn't sent meanwhile isn't a loss.
      if (takes && !sends) stream.rejoin();
      sends = takes;
    },
    hear(next) {
      stopPassing();
      stopPassing = next && "pass" in next ? next.pass.onPacket(passFrom(next.pass)) : () => {};
      if (!next || !("pass" in next)) browserSentMs = -Infinity;
      feed = next;
      keys.dropPassed();
    },
    takeKey(key) {
      if (peer && keysBeside(peer.codec, peer)) keys.pass(key);
    },
    takesKeyEvents: () => !peer || keysBeside(peer.codec, peer) !== null,
    sendDigits(digits) {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      keys.add(digits);
    },
    tick() {
      reports.tick();
      if (!peer || !sends) return;
      const as = keysBeside(peer.codec, peer);
      const key = keys.next();
      if (key && as) {
        const clockRate = clockRates[peer.codec];
        if (key.first) keyTimestamp = stream.nextTimestamp(clockRate);
        const payload = rescaleKey(key.payload, clockRates.PCMU, as.clockRate);
        send(stream.own(as.payloadType, { payload, clockRate, marker: key.marker, timestamp: keyTimestamp }));
      } else if (key) {
        if (key.tonePart === null) sendSound(silenceIn[peer.codec]);
        else sendSamples(toneOfKey(key.key, key.tonePart));
      } else if (feed && "mix" in feed) sendSamples(feed.mix());
      else if (performance.now() - browserSentMs > browserSilentMs) sendSound(silenceIn[peer.codec]);
    },
    stats: () => reception.stats(stream.packetsSent()),
    close() {
      stopPassing();
      listeners.clear();
      decoder.close();
      encoder.close();
      reports.close();
    },
  };
}
