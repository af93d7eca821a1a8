import { setTimeout as sleep } from "node:timers/promises";

import { decodeSound, encodeSound, samplesPerPacket, silence } from "../rtp/g711.ts";
import {
  clockRates,
  codecOf,
  isG711,
  type PayloadTypes,
  readRtpDescription,
  type RtpCodec,
  soundPayloadTypes,
  writeRtpDescription,
} from "../rtp/rtp-description.ts";
import { parseRtpPacket, type RtpPacket, writeRtpPacket } from "../rtp/rtp-packet.ts";
import { createRtpSender } from "../rtp/rtp-sender.ts";
import { openRtpSocket } from "../rtp/rtp-socket.ts";
import { startTicker, tickMs } from "../rtp/ticker.ts";
import { toneSamples } from "./tone.ts";

const host = "127.0.0.1";

interface RtpEndpointOptions {
  /** It uses the first one that the other side supports too. */
  codecs?: RtpCodec[];
  telephoneEventType?: number;
  /** If Opus is among the codecs: its payload types here, and its encoder and decoder, 20 ms at 8 kHz. */
  opus?: NonNullable<PayloadTypes["opus"]> & {
    encode(samples: Int16Array): Buffer;
    decode(payload: Buffer): Int16Array;
  };
  /** If its packets are encrypted; null for a packet that doesn't decrypt. */
  sealing?: { encrypt(packet: RtpPacket): Buffer; open(datagram: Buffer): RtpPacket | null };
}

/**
 * A plain RTP phone for tests: sends silence, a tone or DTMF every 20 ms, and keeps every packet it receives. It can
 * offer (`offer`, `acceptAnswer`) or answer (`acceptAnswer` with the other side's offer, then `offer` as the answer).
 */
export async function openRtpEndpoint(options: RtpEndpointOptions = {}) {
  const codecs = options.codecs ?? ["PCMU", "PCMA"];
  const { telephoneEventType = 101, opus, sealing = { encrypt: writeRtpPacket, open: parseRtpPacket } } = options;
  const types: PayloadTypes = { telephoneEventType, opus };
  const socket = await openRtpSocket(host);

  const sender = createRtpSender();
  const packets: (RtpPacket & { atMs: number })[] = [];
  const sent: RtpPacket[] = [];
  let peer: { host: string; port: number; codec: RtpCodec; payloadType: number; keysType: number | null } | null = null;
  let toneHz: number | null = null;
  let samplesSent = 0;

  socket.on("message", (datagram) => {
    const packet = sealing.open(datagram);
    if (packet) packets.push({ ...packet, payload: Buffer.from(packet.payload), atMs: performance.now() });
  });

  function nextPayload(codec: RtpCodec): Buffer {
    if (toneHz === null && isG711(codec)) return silence[codec];
    const amplitude = toneHz === null ? 0 : undefined;
    const samples = toneSamples(toneHz ?? 0, { from: samplesSent, length: samplesPerPacket, amplitude });
    samplesSent += samplesPerPacket;
    return isG711(codec) ? encodeSound(samples, codec) : (opus?.encode(samples) ?? Buffer.alloc(0));
  }

  const ticker = startTicker(() => {
    if (!peer) return;
    const clockRate = clockRates[peer.codec];
    const key = peer.keysType === null ? null : sender.key(peer.keysType, clockRate);
    const packet = key ?? sender.sound(peer.payloadType, nextPayload(peer.codec), (clockRate * tickMs) / 1000);
    sent.push(packet);
    socket.send(sealing.encrypt(packet), peer.port, peer.host);
  });

  function soundOf(heard: RtpPacket[]): Int16Array {
    const parts = heard.flatMap(({ payloadType, payload }) => {
      const codec = codecOf(payloadType, types);
      if (codec === null) return [];
      return [...(isG711(codec) ? decodeSound(payload, codec) : (opus?.decode(payload) ?? []))];
    });
    return Int16Array.from(parts);
  }

  return {
    offer: writeRtpDescription({ host, port: socket.address().port, codecs, ...types }),
    port: socket.address().port,
    /** Every packet so far, in the order of arrival. */
    packets,
    /** The packets it has sent. */
    sent,
    acceptAnswer(sdp: string): void {
      const description = readRtpDescription(sdp);
      const codec = codecs.find((each) => description?.codecs.includes(each));
      if (!description || codec === undefined) throw new Error("no common codec in this description");
      const { host: at, port, opus: wide, telephoneEventType: events } = description;
      peer = isG711(codec)
        ? { host: at, port, codec, payloadType: soundPayloadTypes[codec], keysType: events }
        : { host: at, port, codec, payloadType: wide?.payloadType ?? 0, keysType: wide?.telephoneEventType ?? events };
    },
    /** From now on sends this tone; null is silence. */
    sendTone: (hz: number | null): void => void (toneHz = hz),
    sendKeys: (keys: string): void => [...keys].forEach((key) => sender.queueKey(key)),
    /** The audio that arrives in this time. */
    async listen(forMs: number): Promise<Int16Array> {
      const from = packets.length;
      await sleep(forMs);
      return soundOf(packets.slice(from));
    },
    close(): void {
      ticker.stop();
      socket.close();
    },
  };
}

export type RtpEndpoint = Awaited<ReturnType<typeof openRtpEndpoint>>;
