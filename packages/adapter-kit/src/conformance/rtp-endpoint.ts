import { setTimeout as sleep } from "node:timers/promises";

import { decodeSound, encodeSound, samplesPerPacket, silence, type SoundCodec } from "../rtp/g711.ts";
import { readRtpDescription, soundCodecOf, soundPayloadTypes, writeRtpDescription } from "../rtp/rtp-description.ts";
import { parseRtpPacket, type RtpPacket, writeRtpPacket } from "../rtp/rtp-packet.ts";
import { createRtpSender } from "../rtp/rtp-sender.ts";
import { openRtpSocket } from "../rtp/rtp-socket.ts";
import { startTicker } from "../rtp/ticker.ts";
import { toneSamples } from "./tone.ts";

const host = "127.0.0.1";

/**
 * A plain RTP telephone for tests: sends silence, a tone or keys each 20 ms, and keeps every packet it hears.
 * It may offer (`offer`, `acceptAnswer`) or answer (`acceptAnswer` with the other side's offer, then `offer` as the answer).
 */
export async function openRtpEndpoint(options: { codecs?: SoundCodec[]; telephoneEventType?: number } = {}) {
  const codecs = options.codecs ?? ["PCMU", "PCMA"];
  const telephoneEventType = options.telephoneEventType ?? 101;
  const socket = await openRtpSocket(host);

  const sender = createRtpSender();
  const packets: (RtpPacket & { atMs: number })[] = [];
  let peer: { host: string; port: number; codec: SoundCodec; telephoneEventType: number | null } | null = null;
  let toneHz: number | null = null;
  let samplesSent = 0;

  socket.on("message", (datagram) => {
    const packet = parseRtpPacket(datagram);
    if (packet) packets.push({ ...packet, payload: Buffer.from(packet.payload), atMs: performance.now() });
  });

  function nextPayload(codec: SoundCodec): Buffer {
    if (toneHz === null) return silence[codec];
    const samples = toneSamples(toneHz, { from: samplesSent, length: samplesPerPacket });
    samplesSent += samplesPerPacket;
    return encodeSound(samples, codec);
  }

  const ticker = startTicker(() => {
    if (!peer) return;
    const key = peer.telephoneEventType === null ? null : sender.key(peer.telephoneEventType);
    const packet = key ?? sender.sound(soundPayloadTypes[peer.codec], nextPayload(peer.codec));
    socket.send(writeRtpPacket(packet), peer.port, peer.host);
  });

  function soundOf(heard: RtpPacket[]): Int16Array {
    const parts = heard.flatMap(({ payloadType, payload }) => {
      const codec = soundCodecOf(payloadType);
      return codec === null ? [] : [...decodeSound(payload, codec)];
    });
    return Int16Array.from(parts);
  }

  return {
    offer: writeRtpDescription({ host, port: socket.address().port, codecs, telephoneEventType }),
    port: socket.address().port,
    /** Every packet so far, in the order of arrival. */
    packets,
    acceptAnswer(sdp: string): void {
      const description = readRtpDescription(sdp);
      const codec = description?.codecs.find((offered) => codecs.includes(offered));
      if (!description || codec === undefined) throw new Error("no common codec in this description");
      peer = { ...description, codec };
    },
    /** From now on sends this tone; null is silence. */
    sendTone: (hz: number | null): void => void (toneHz = hz),
    sendKeys: (keys: string): void => [...keys].forEach((key) => sender.queueKey(key)),
    /** The sound that arrives in the next while. */
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
