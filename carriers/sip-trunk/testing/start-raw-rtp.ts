import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

import { toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { decodeSound, encodeSound, samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";
import { tickMs } from "@leadline/adapter-kit/rtp/ticker";
import { createG722Decoder, createG722Encoder } from "@leadline/adapter-kit/rtp/g722";

export interface RawRtpPacket {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  payload: Buffer;
  from: { address: string; port: number };
  atMs: number;
}

export interface ToneOptions {
  to: { address: string; port: number };
  hz: number;
  ms: number;
  packetMs?: number;
  /** G.722 is at 16 kHz. */
  codec?: "PCMU" | "G722";
  payloadType?: number;
  ssrc?: number;
  /** Of the first packet; by default it continues where the last one ended. */
  sequence?: number;
  timestamp?: number;
}

const wide = 16_000;
const defaultSsrc = 0x1eadf00d;

/**
 * An RTP socket for tests: sends packets with headers of the test's choice, PCMU or G.722, and records what arrives.
 */
export async function startRawRtp({ host = "127.0.0.1", port = 0 }: { host?: string; port?: number } = {}) {
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening;
  const own = socket.address().port;
  const received: RawRtpPacket[] = [];
  const [g722, fromG722] = [createG722Encoder(), createG722Decoder()];
  let sequence = 1;
  let timestamp = 0;

  socket.on("message", (bytes, from) => {
    if (bytes.length < 12) return;
    const [second = 0] = bytes.subarray(1);
    received.push({
      payloadType: second & 0x7f,
      marker: second > 0x7f,
      sequence: bytes.readUInt16BE(2),
      timestamp: bytes.readUInt32BE(4),
      ssrc: bytes.readUInt32BE(8),
      payload: Buffer.from(bytes.subarray(12)),
      from: { address: from.address, port: from.port },
      atMs: performance.now(),
    });
  });

  function head({ payloadType, ssrc }: { payloadType: number; ssrc: number }): Buffer {
    const bytes = Buffer.alloc(12);
    bytes[0] = 0x80;
    bytes[1] = payloadType;
    bytes.writeUInt16BE(sequence & 0xffff, 2);
    bytes.writeUInt32BE(timestamp >>> 0, 4);
    bytes.writeUInt32BE(ssrc, 8);
    return bytes;
  }

  const send = (bytes: Buffer, to: { address: string; port: number }): void => socket.send(bytes, to.port, to.address);

  return {
    host,
    port: own,
    received,
    /** Sends exactly these bytes. */
    send,
    /** Resolves once all of it has been sent, in real time. */
    async sendTone({
      to,
      hz,
      ms,
      packetMs = tickMs,
      codec = "PCMU",
      payloadType = codec === "G722" ? 9 : 0,
      ssrc = defaultSsrc,
      ...first
    }: ToneOptions): Promise<void> {
      sequence = first.sequence ?? sequence;
      timestamp = first.timestamp ?? timestamp;
      const startMs = performance.now();
      const samples = (samplesPerPacket * packetMs) / tickMs;
      for (let i = 0; i < ms / packetMs; i++) {
        const sound = (length: number, rate?: number) =>
          toneSamples(hz, { from: i * length, length, ...(rate !== undefined && { rate }) });
        const payload = codec === "G722" ? g722.encode(sound(2 * samples, wide)) : encodeSound(sound(samples), "PCMU");
        send(Buffer.concat([head({ payloadType, ssrc }), payload]), to);
        sequence += 1;
        timestamp += samples;
        await sleep(Math.max(0, startMs + (i + 1) * packetMs - performance.now()));
      }
    },
    /** Sends a comfort noise packet every 100 ms instead of audio (RFC 3389), in the same stream. */
    async sendComfortNoise({ to, ms }: Pick<ToneOptions, "to" | "ms">): Promise<void> {
      for (let i = 0; i < ms / 100; i++) {
        send(Buffer.concat([head({ payloadType: 13, ssrc: defaultSsrc }), Buffer.from([60, 100, 110])]), to);
        sequence += 1;
        timestamp += 5 * samplesPerPacket;
        await sleep(100);
      }
    },
    /** The PCMU audio that arrives in this time, by default of payload type 0. */
    async listen(forMs: number, payloadType = 0): Promise<Int16Array> {
      const from = received.length;
      await sleep(forMs);
      const packets = received.slice(from).filter((packet) => packet.payloadType === payloadType);
      return Int16Array.from(packets.flatMap(({ payload }) => [...decodeSound(payload, "PCMU")]));
    },
    /** The G.722 audio that arrives in this time, at 16 kHz. */
    async listenWide(forMs: number): Promise<Int16Array> {
      const from = received.length;
      await sleep(forMs);
      const packets = received.slice(from).filter(({ payloadType }) => payloadType === 9);
      return Int16Array.from(packets.flatMap(({ payload }) => [...fromG722.decode(payload)]));
    },
    /** A description of this socket, PCMU with telephone-event 101; `lines` follow its media line. */
    describe: (lines: readonly string[] = []): string =>
      [
        "v=0",
        `o=- 1 1 IN IP4 ${host}`,
        "s=-",
        `c=IN IP4 ${host}`,
        "t=0 0",
        `m=audio ${own} RTP/AVP 0 101`,
        "a=rtpmap:0 PCMU/8000",
        "a=rtpmap:101 telephone-event/8000",
        "a=fmtp:101 0-16",
        ...lines,
        "",
      ].join("\r\n"),
    close: (): void => void socket.close(),
  };
}
