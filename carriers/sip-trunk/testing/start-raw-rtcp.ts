import { createSocket } from "node:dgram";
import { once } from "node:events";

import { readRtcp } from "@leadline/adapter-kit/rtp/rtcp";

type Heard = NonNullable<ReturnType<typeof readRtcp>> & { from: { address: string; port: number }; atMs: number };

/** An RTCP port (RFC 3550, section 6) for tests: keeps what arrives, and sends what the test wrote. `open` decrypts. */
export async function startRawRtcp({
  port = 0,
  host = "127.0.0.1",
  open = (datagram: Buffer): Buffer | null => datagram,
} = {}) {
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening;
  const received: Heard[] = [];
  const unread: Buffer[] = [];
  socket.on("message", (bytes, { address, port: at }) => {
    const plain = open(bytes);
    const read = plain && readRtcp(plain);
    if (read) received.push({ ...read, from: { address, port: at }, atMs: performance.now() });
    else unread.push(bytes);
  });
  return {
    port: socket.address().port,
    received,
    /** What isn't a report. */
    unread,
    send: (bytes: Buffer, to: { address: string; port: number }): void => socket.send(bytes, to.port, to.address),
    close: (): void => void socket.close(),
  };
}
