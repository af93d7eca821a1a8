import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether anything that speaks SIP responds there. Written by hand, so that it shares no code with what is tested. */
export async function answersOptions(port: number, waitMs = 200): Promise<boolean> {
  const socket = createSocket("udp4");
  socket.on("error", () => {});
  const bound = once(socket, "listening");
  socket.bind(0, "127.0.0.1");
  await bound;
  const own = socket.address().port;
  const heard = once(socket, "message").then(() => true);
  const lines = [
    `OPTIONS sip:127.0.0.1:${port} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bK${own}${Math.floor(performance.now())}`,
    `From: <sip:ready@127.0.0.1:${own}>;tag=1`,
    `To: <sip:127.0.0.1:${port}>`,
    `Call-ID: ready-${own}-${Math.floor(performance.now())}`,
    "CSeq: 1 OPTIONS",
    "Max-Forwards: 70",
    "Content-Length: 0",
    "",
    "",
  ];
  socket.send(lines.join("\r\n"), port, "127.0.0.1");
  const answered = await Promise.race([heard, sleep(waitMs, false)]);
  socket.close();
  return answered;
}
