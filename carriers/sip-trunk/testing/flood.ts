import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export const floodedNumber = "+442079460123";

/** An INVITE over UDP that is never continued. */
export function invite(from: Socket, id: string): string {
  const { address, port } = from.address();
  const lines = [
    `INVITE sip:${floodedNumber}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK${id}`,
    `From: <sip:+442071838750@${address}>;tag=${id}`,
    `To: <sip:${floodedNumber}@127.0.0.1>`,
    `Call-ID: ${id}`,
    "CSeq: 1 INVITE",
    `Contact: <sip:${address}:${port}>`,
    "Max-Forwards: 70",
    "Content-Length: 0",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

export async function openSocket(address: string): Promise<Socket> {
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(0, address);
  await listening;
  return socket;
}

/**
 * Sends a thousand INVITEs to that port, in a second or as fast as this machine can: half of them from a stranger, half
 * from 127.0.0.1.
 */
export async function flood(port: number) {
  const [stranger, own] = await Promise.all([openSocket("127.0.0.2"), openSocket("127.0.0.1")]);
  let answersToStranger = 0;
  stranger.on("message", () => answersToStranger++);
  const answered = new Set<string>();
  own.on("message", (bytes) => void answered.add(/^call-id: *(\S+)/im.exec(bytes.toString())?.[1] ?? ""));
  for (let round = 0; round < 50; round++) {
    for (let i = 0; i < 20; i++) {
      const from = i % 2 === 0 ? stranger : own;
      from.send(invite(from, `flood${round}x${i}`), port, "127.0.0.1");
    }
    await sleep(20);
  }
  return {
    answersToStranger: () => answersToStranger,
    /** How many of its calls the trunk has responded to. */
    answered: () => answered.size,
    close(): void {
      stranger.close();
      own.close();
    },
  };
}
