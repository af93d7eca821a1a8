import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

/**
 * A bound UDP socket that sends to literal addresses only, so that no packet waits for a name to be looked up.
 * Errors are dropped: they tell of a peer whose port is closed, and the signalling says that better.
 */
export async function openRtpSocket(host: string): Promise<Socket> {
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    lookup: (address, _, done) => done(null, address, family),
  });
  socket.on("error", () => {});
  const listening = once(socket, "listening");
  socket.bind(0, host);
  await listening;
  return socket;
}
