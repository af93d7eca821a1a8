import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv4, isIPv6 } from "node:net";

/**
 * A bound UDP socket that only sends to IP addresses, so that no packet waits for a look-up. Errors are dropped: they
 * only report a peer's closed port, which signalling shows better.
 */
export const openRtpSocket = (host: string): Promise<Socket> => bind(host);

/** On all of this machine's addresses, of both families if it has both. Read an IPv4 sender's address with senderOf. */
export const openRtpSocketEverywhere = (): Promise<Socket> => bind("::").catch(() => bind("0.0.0.0"));

/** On the same addresses, at the next port; null if that is taken. */
export const openRtcpSocket = (socket: Socket): Promise<Socket | null> => {
  const { address, port } = socket.address();
  return bind(address, port + 1).catch(() => null);
};

/** A dual-stack socket writes an IPv4 address as an IPv6 one. */
export const senderOf = ({ address }: { address: string }): string => address.replace(/^::ffff:/, "");

async function bind(host: string, port = 0): Promise<Socket> {
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    lookup: (address, _, done) => done(null, family === 6 && isIPv4(address) ? `::ffff:${address}` : address, family),
  });
  socket.on("error", () => {});
  const listening = once(socket, "listening");
  socket.bind(port, host);
  await listening.catch((error: unknown) => {
    socket.close();
    throw error;
  });
  return socket;
}
