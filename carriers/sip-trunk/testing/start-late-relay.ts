import { createSocket } from "node:dgram";
import { once } from "node:events";

import { readHeard } from "./heard.ts";

const silentMs = 3_000;

/** A UDP relay to that port of this machine that drops everything in the first 3 s of a new call. */
export async function startLateRelay(to: number) {
  const calls = new Set<string>();
  let silentUntilMs = -Infinity;
  let lostInvites = 0;
  let caller = 0;
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(0, "127.0.0.1");
  await listening;
  socket.on("message", (datagram, from) => {
    if (from.port === to) return socket.send(datagram, caller, "127.0.0.1");
    const { what, header } = readHeard(
      datagram.toString(),
      () => {},
      () => {},
    );
    const callId = header("call-id") ?? "";
    if (what === "INVITE" && !calls.has(callId)) silentUntilMs = performance.now() + silentMs;
    if (what === "INVITE") calls.add(callId);
    caller = from.port;
    if (performance.now() >= silentUntilMs) socket.send(datagram, to, "127.0.0.1");
    else if (what === "INVITE") lostInvites += 1;
  });
  return {
    port: socket.address().port,
    /** Over all calls. */
    lostInvites: () => lostInvites,
    stop: async (): Promise<void> => void socket.close(),
  };
}
