import { createSocket } from "node:dgram";
import { once } from "node:events";

import { samplesPerPacket } from "@leadline/adapter-kit/rtp/g711";

interface Stream {
  ssrc: number;
  timestamp: number;
  sent: { sequence: number; timestamp: number };
}

/**
 * Sends each RTP packet back to its sender in one stream with its own SSRC, as a far end does. SIPp's echo keeps the
 * SSRC that it receives, so it changes with hold music; Chromium's track never returns to a former SSRC.
 */
export async function startEcho(): Promise<{ port: number; close(): void }> {
  const socket = createSocket("udp4");
  const streams = new Map<string, Stream>();
  socket.on("message", (packet, { address, port }) => {
    if (packet.length < 12) return;
    const from = `${address}:${port}`;
    const [ssrc, timestamp] = [packet.readUInt32BE(8), packet.readUInt32BE(4)];
    const last = streams.get(from) ?? { ssrc, timestamp, sent: { sequence: 0, timestamp: 0 } };
    const passed = last.ssrc === ssrc ? timestamp - last.timestamp : samplesPerPacket;
    const sent = {
      sequence: (last.sent.sequence + 1) & 0xffff,
      timestamp: (last.sent.timestamp + passed) >>> 0,
    };
    streams.set(from, { ssrc, timestamp, sent });
    packet.writeUInt16BE(sent.sequence, 2);
    packet.writeUInt32BE(sent.timestamp, 4);
    packet.writeUInt32BE(0xec40 + port, 8);
    socket.send(packet, port, address);
  });
  const listening = once(socket, "listening");
  socket.bind(0, "127.0.0.1");
  await listening;
  return { port: socket.address().port, close: () => void socket.close() };
}
