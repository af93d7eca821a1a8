import { convertSound, decodeSound } from "@leadline/adapter-kit/rtp/g711";
import { toneOfKey } from "@leadline/adapter-kit/rtp/key-tones";
import {
  clockRates,
  isG711,
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
import { createKeyListener, isKey, rescaleKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { LegStats } from "../media-plane.ts";
import { createAnnouncements } from "./announcement.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import { createKeyQueue, limitPassedKeys } from "./key-queue.ts";
import type { Mixture, Voice } from "./mixture.ts";
import { createFarEndLatch } from "./far-end-latch.ts";
import { formatOf, keysBeside, type PacketFormat } from "./packet-formats.ts";
import { createPlayout, type Playout } from "./playout.ts";
import { createRtcpSession } from "./rtcp-session.ts";
import { createReception } from "./reception.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSealing } from "./sealing.ts";
import { createSoundDecoder, createSoundEncoder, silenceIn } from "./sound-codecs.ts";
import { translatePacket } from "./translate-packet.ts";

/** Longer than a browser's jitter: from then on we send silence of our own, as a line that falls mute is taken for dead. */
const browserSilentMs = 100;
/** What we offer to be sent; the trunk's settings put it in their order. */
const ourCodecs: RtpCodec[] = ["PCMU", "PCMA", "G722", "opus"];
const usualTypes: PayloadTypes = { telephoneEventType: 101, opus: { payloadType: 111, telephoneEventType: 110 } };

export interface CarrierLeg {
  offer: string;
  acceptAnswer(sdp: string): void;
  bridge(browser: BrowserLeg): void;
  /** Only where this browser is the one bridged; without one, whichever is. */
  unbridge(browser?: BrowserLeg): void;
  /** Takes part in a mixture, instead of a browser's company, until it leaves. */
  join(mixture: Pick<Mixture, "passKey">): Voice;
  leave(): void;
  takesKeyEvents(): boolean;
  sendDigits(digits: string): void;
  setHeld(held: boolean): void;
  setMuted(muted: boolean): void;
  /** In a mixture: nobody hears the far end. */
  setSilenced(silenced: boolean): void;
  /** Resolves once it is sent whole; rejects where the leg is closed before. */
  play(muLaw: Buffer): Promise<void>;
  /** The far end's sound from now on, until the leg is closed. */
  record(onSound: (samples: Int16Array) => void): void;
  /** Every 20 ms: a key, the hold tune, the mixture, what is played, or silence where no browser speaks. */
  tick(): void;
  stats(): LegStats;
  close(): void;
}

/** What a far end on this machine is told; one elsewhere is told by its carrier where it reaches us. */
const describedHost = "127.0.0.1";

/** What the far end said of its side, and what of that it is sent. */
type Peer = RtpDescription & { codec: RtpCodec };

/** holdTune: in µ-law, a packet each tick. `telephoneEventType`: of a far end that was offered G.711 alone, by this number for keys. */
export async function openCarrierLeg(options: {
  holdTune: readonly Buffer[];
  telephoneEventType?: number;
}): Promise<CarrierLeg> {
  const { holdTune, telephoneEventType } = options;
  const ourTypes = telephoneEventType === undefined ? usualTypes : { telephoneEventType };
  const socket = await openRtpSocketEverywhere();
  const stream = createRtpStream();
  const reception = createReception();
  const announcements = createAnnouncements();
  const keys = createKeyQueue();
  const ourKeys = drawSdesKeys();
  const sealing = createSealing(ourKeys);
  const latch = createFarEndLatch();
  const reports = createRtcpSession({ socket, latch, stream, reception, sealing });
  let recorder: Recorder | null = null;
  let keyTimestamp = 0;
  const decoder = createSoundDecoder();
  const encoder = createSoundEncoder();
  let peer: Peer | null = null;
  /** Whether the far end is sent anything: not where it has put us on hold. */
  let sends = false;
  let browser: BrowserLeg | null = null;
  let held = false;
  let muted = false;
  let silenced = false;
  /** In a mixture: what the far end says, and the next 20 ms that it is to hear. */
  let joined: { playout: Playout; hearKey: (packet: RtpPacket) => void; samples: Int16Array | null } | null = null;
  let tuneAt = 0;
  let browserSentMs = -Infinity;
  /** By which clock each side's sound was counted last; its keys are counted by that too. */
  let browserClock = clockRates.PCMU;
  let farEndClock = clockRates.PCMU;

  function send(packet: RtpPacket | null): void {
    const to = latch.address();
    if (packet && to) socket.send(sealing.seal(packet), to.port, to.host);
  }

  /** Our own sound, at 8 kHz, in the far end's codec. */
  function sendSamples(samples: Int16Array): void {
    const payload = peer && encoder.encode(samples, peer.codec);
    if (payload) sendSound(payload);
  }

  function sendMuLaw(payload: Buffer): void {
    if (peer && isG711(peer.codec)) sendSound(convertSound(payload, "PCMU", peer.codec));
    else sendSamples(decodeSound(payload, "PCMU"));
  }

  function sendSound(payload: Buffer): void {
    if (!peer) return;
    const clockRate = clockRates[peer.codec];
    send(stream.own(payloadTypeOf(peer.codec, peer), { payload, clockRate }));
  }

  function fromBrowser(packet: RtpPacket, format: PacketFormat | null): void {
    browserSentMs = performance.now();
    if (!peer || !sends || !browser || held || !keys.isEmpty()) return;
    if (format?.codec) browserClock = format.clockRate;
    const passed = format && asHeardThere(packet, format, { far: peer, near: browser });
    const clocks = { from: browserClock, to: clockRates[peer.codec] };
    if (passed) send(stream.pass(packet, { ...passed, clocks }));
    else stream.leaveOut(packet);
  }

  /** As the far end hears the browser's packet. */
  function asHeardThere(packet: RtpPacket, format: PacketFormat, { far, near }: { far: Peer; near: BrowserLeg }) {
    const { codec } = far;
    if (muted && format.codec !== null) return { payloadType: payloadTypeOf(codec, far), payload: silenceIn[codec] };
    return translatePacket(packet, format, { codec, types: far }, { decoder: near.decoder, encoder });
  }

  function fromFarEnd(packet: RtpPacket, format: PacketFormat | null): void {
    if (!browser || held) return;
    if (format?.codec) farEndClock = format.clockRate;
    const { types } = browser;
    const codec = format?.codec && browser.takes(format.codec) ? format.codec : browser.codec;
    const passed = format && translatePacket(packet, format, { codec, types }, { decoder, encoder });
    const clocks = { from: farEndClock, to: clockRates[codec] };
    if (passed) browser.send(browser.stream.pass(packet, { ...passed, clocks }));
    else browser.stream.leaveOut(packet);
  }

  socket.on("message", (datagram, from) => {
    if (!peer) return;
    if (isRtcp(datagram)) return reports.hear(datagram, from);
    const packet = sealing.open(datagram);
    if (!packet || !latch.takes({ host: senderOf(from), port: from.port })) return;
    // Who answered our offer sends by our numbers, who offered by its own (RFC 3264, sections 5.1 and 6.1).
    const format = formatOf(packet.payloadType, peer) ?? formatOf(packet.payloadType, ourTypes);
    reception.note(packet, format);
    if (format?.codec === null) joined?.hearKey(packet);
    else if (format && (recorder || joined)) {
      const read = decoder.read(packet, format.codec);
      if (read) recorder?.add(read);
      if (read) joined?.playout.add(read, read.samples);
    }
    fromFarEnd(packet, format);
  });

  function unbridge(only?: BrowserLeg): void {
    if (!browser || (only && only !== browser)) return;
    browser.onPacket = null;
    browser.stream.rejoin();
    browser = null;
  }

  return {
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
      sealing.agree(sdp);
      if (!isNowhere(description.host)) latch.signal(description);
      reports.signal(description);
      peer = { ...description, codec };
      const takes = takesSound(description);
      // What it was not sent meanwhile isn't a loss.
      if (takes && !sends) stream.rejoin();
      sends = takes;
    },
    bridge(next) {
      if (next === browser) return;
      unbridge();
      browser = next;
      browser.onPacket = fromBrowser;
    },
    unbridge,
    join(mixture) {
      unbridge();
      const playout = createPlayout();
      const keyOf = createKeyListener();
      const mayPass = limitPassedKeys();
      const isHeard = (): boolean => !held && !silenced;
      const voice: Voice = {
        isBrowser: false,
        speak() {
          const samples = playout.next();
          return isHeard() ? samples : null;
        },
        hears: (other) => !(muted && other.isBrowser),
        listen: (samples) => void (joined && (joined.samples = samples)),
        takeKey(key) {
          if (!held && peer && keysBeside(peer.codec, peer)) keys.pass(key);
        },
      };
      const hearKey = (packet: RtpPacket): void => {
        const key = keyOf(packet);
        if (key !== null && isHeard() && mayPass.take()) mixture.passKey(key, voice);
      };
      joined = { playout, hearKey, samples: null };
      return voice;
    },
    leave() {
      joined = null;
      keys.dropPassed();
    },
    takesKeyEvents: () => !peer || keysBeside(peer.codec, peer) !== null,
    sendDigits(digits) {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      keys.add(digits);
    },
    setHeld(next) {
      held = next;
      tuneAt = 0;
      browser?.stream.rejoin();
    },
    setMuted: (next) => void (muted = next),
    setSilenced: (next) => void (silenced = next),
    play: announcements.add,
    record: (onSound) => void (recorder ??= createRecorder(onSound)),
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
      } else if (held) {
        const tune = holdTune[tuneAt++ % holdTune.length];
        if (tune) sendMuLaw(tune);
      } else if (joined?.samples) {
        sendSamples(joined.samples);
        joined.samples = null;
      } else if (performance.now() - browserSentMs > browserSilentMs) {
        const announced = announcements.next();
        if (announced) sendMuLaw(announced);
        else sendSound(silenceIn[peer.codec]);
      }
    },
    stats: () => reception.stats(stream.packetsSent()),
    close() {
      unbridge();
      joined = null;
      announcements.drop();
      recorder?.end();
      recorder = null;
      decoder.close();
      encoder.close();
      reports.close();
    },
  };
}
