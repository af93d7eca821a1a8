import { convertSound, decodeSound, encodeSound, silence, type SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import {
  readRtpDescription,
  type RtpDescription,
  soundCodecOf,
  soundPayloadTypes,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";
import type { RtpPacket } from "@leadline/adapter-kit/rtp/rtp-packet";
import { openRtpSocketEverywhere, senderOf } from "@leadline/adapter-kit/rtp/rtp-socket";
import { drawSdesKeys, withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import { createKeyListener, isKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { LegStats } from "../media-plane.ts";
import { createAnnouncements } from "./announcement.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import { createKeyQueue, limitPassedKeys } from "./key-queue.ts";
import type { Mixture, Voice } from "./mixture.ts";
import { createPlayout, type Playout } from "./playout.ts";
import { createReception } from "./reception.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createRtpStream } from "./rtp-stream.ts";
import { createSealing } from "./sealing.ts";

/** Longer than a browser's jitter: from then on we send silence of our own, as a line that falls mute is taken for dead. */
const browserSilentMs = 100;
const usualTelephoneEventType = 101;

export interface CarrierLeg {
  offer: string;
  acceptAnswer(sdp: string): void;
  bridge(browser: BrowserLeg): void;
  /** Only where this browser is the one bridged; without one, whichever is. */
  unbridge(browser?: BrowserLeg): void;
  /** Takes part in a mixture, instead of a browser's company, until it leaves. */
  join(mixture: Pick<Mixture, "passKey">): Voice;
  leave(): void;
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

export async function openCarrierLeg(options: {
  holdTune: Record<SoundCodec, Buffer[]>;
  telephoneEventType?: number;
}): Promise<CarrierLeg> {
  const { telephoneEventType = usualTelephoneEventType } = options;
  const socket = await openRtpSocketEverywhere();
  const stream = createRtpStream();
  const reception = createReception();
  const announcements = createAnnouncements();
  const keys = createKeyQueue();
  const ourKeys = drawSdesKeys();
  const sealing = createSealing(ourKeys);
  let recorder: Recorder | null = null;
  let keyTimestamp = 0;
  let peer: (RtpDescription & { codec: SoundCodec }) | null = null;
  /** The port the far end really sends from, once it has: sound goes back there (RFC 4961). */
  let latchedPort: number | null = null;
  let browser: BrowserLeg | null = null;
  let held = false;
  let muted = false;
  let silenced = false;
  /** In a mixture: what the far end says, and the next 20 ms that it is to hear. */
  let joined: { playout: Playout; hearKey: (packet: RtpPacket) => void; samples: Int16Array | null } | null = null;
  let tuneAt = 0;
  let browserSentMs = -Infinity;

  function send(packet: RtpPacket | null): void {
    if (packet && peer) socket.send(sealing.seal(packet), latchedPort ?? peer.port, peer.host);
  }

  function fromBrowser(packet: RtpPacket): void {
    browserSentMs = performance.now();
    if (!peer || held || !keys.isEmpty()) return;
    const codec = soundCodecOf(packet.payloadType);
    if (codec !== null) {
      const payload = muted
        ? silence[peer.codec].subarray(0, packet.payload.length)
        : convertSound(packet.payload, codec, peer.codec);
      send(stream.pass(packet, { payloadType: soundPayloadTypes[peer.codec], payload }));
    } else if (packet.payloadType === browser?.telephoneEventType && peer.telephoneEventType !== null) {
      send(stream.pass(packet, { payloadType: peer.telephoneEventType, payload: packet.payload }));
    } else stream.leaveOut(packet);
  }

  /** Who answered our offer sends keys by our number, who offered by its own (RFC 3264, sections 5.1 and 6.1). */
  const isOfKey = ({ payloadType }: RtpPacket): boolean =>
    payloadType === telephoneEventType || payloadType === peer?.telephoneEventType;

  function fromFarEnd(packet: RtpPacket): void {
    const codec = soundCodecOf(packet.payloadType);
    if (joined && codec !== null) joined.playout.add(packet, decodeSound(packet.payload, codec));
    else if (joined && isOfKey(packet)) joined.hearKey(packet);
    if (!browser || held) return;
    if (codec !== null) {
      const payload = convertSound(packet.payload, codec, browser.codec);
      browser.send(browser.stream.pass(packet, { payloadType: soundPayloadTypes[browser.codec], payload }));
    } else if (isOfKey(packet) && browser.telephoneEventType !== null) {
      browser.send(browser.stream.pass(packet, { payloadType: browser.telephoneEventType, payload: packet.payload }));
    } else browser.stream.leaveOut(packet);
  }

  socket.on("message", (datagram, from) => {
    if (!peer || senderOf(from) !== peer.host) return;
    if (latchedPort !== null && from.port !== latchedPort) return;
    const packet = sealing.open(datagram);
    if (!packet) return;
    latchedPort = from.port;
    reception.note(packet);
    const codec = soundCodecOf(packet.payloadType);
    if (codec !== null) recorder?.add(packet, codec);
    fromFarEnd(packet);
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
        codecs: ["PCMU", "PCMA"],
        telephoneEventType,
      }),
      ourKeys,
    ),
    acceptAnswer(sdp) {
      const description = readRtpDescription(sdp);
      const codec = description?.codecs[0];
      if (!description || codec === undefined)
        throw new Error("The carrier's answer has no audio line with PCMU or PCMA.");
      sealing.agree(sdp);
      if (peer?.host !== description.host || peer.port !== description.port) latchedPort = null;
      peer = { ...description, codec };
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
          if (!held && peer && peer.telephoneEventType !== null) keys.pass(key);
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
    sendDigits(digits) {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      if (peer?.telephoneEventType === null) throw new Error("The far end takes no keys on this call.");
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
      if (!peer) return;
      const payloadType = soundPayloadTypes[peer.codec];
      const key = peer.telephoneEventType === null ? undefined : keys.next();
      if (key && peer.telephoneEventType !== null) {
        if (key.first) keyTimestamp = stream.nextTimestamp();
        const { payload, marker } = key;
        send(stream.own(peer.telephoneEventType, { payload, marker, timestamp: keyTimestamp }));
      } else if (held) {
        const tune = options.holdTune[peer.codec];
        const payload = tune[tuneAt++ % tune.length];
        if (payload) send(stream.own(payloadType, { payload }));
      } else if (joined?.samples) {
        send(stream.own(payloadType, { payload: encodeSound(joined.samples, peer.codec) }));
        joined.samples = null;
      } else if (performance.now() - browserSentMs > browserSilentMs) {
        send(stream.own(payloadType, { payload: announcements.next(peer.codec) ?? silence[peer.codec] }));
      }
    },
    stats: () => reception.stats(stream.packetsSent()),
    close() {
      unbridge();
      joined = null;
      announcements.drop();
      recorder?.end();
      recorder = null;
      socket.close();
    },
  };
}
