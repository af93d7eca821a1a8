import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

import { setLatest } from "./set-latest.ts";

export interface UdpOptions {
  /** 0 chooses any free port. */
  port: number;
  onMessage: (text: string, source: { address: string; port: number }) => void;
  /** Called before anything in a datagram is read. */
  isKnown: (address: string) => boolean;
}

/** Line ends or a zero byte that keep a NAT binding open (RFC 5626, section 4.4.1). */
const isKeepAlive = (datagram: Buffer): boolean => datagram.length < 16 && datagram.every((byte) => byte <= 32);

/** The trunk's UDP sockets, one per address family, both on the same port. */
export async function openUdp(options: UdpOptions) {
  const v4 = await bind("udp4", options.port);
  // If the machine has no IPv6, nothing can be sent over it either.
  const v6 = await bind("udp6", v4.address().port).catch(() => null);
  const localAddresses = new Map<string, string>();

  for (const socket of [v4, v6])
    socket?.on("message", (datagram, { address, port }) => {
      if (!isKeepAlive(datagram) && options.isKnown(address))
        options.onMessage(datagram.toString("utf8"), { address, port });
    });

  return {
    port: v4.address().port,
    /** Our local address for packets to this one. */
    async localAddress(towards: string): Promise<string> {
      const known = localAddresses.get(towards);
      if (known !== undefined) return known;
      const found = await askRoute(towards);
      setLatest(localAddresses, towards, found);
      return found;
    },
    send(text: string, { address, port }: { address: string; port: number }): Promise<void> {
      const socket = isIPv6(address) ? v6 : v4;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (!socket) return Promise.reject(new Error("This machine has no IPv6."));
      socket.send(text, port, address, (error) => (error ? reject(error) : resolve()));
      return promise;
    },
    close(): void {
      v4.close();
      v6?.close();
    },
  };
}

async function bind(type: "udp4" | "udp6", port: number): Promise<Socket> {
  const socket = createSocket({ type, ipv6Only: type === "udp6" });
  const listening = once(socket, "listening");
  socket.bind(port);
  await listening.catch((error: unknown) => {
    socket.close();
    throw error;
  });
  // ICMP errors say less than the silence that follows them.
  socket.on("error", () => {});
  return socket;
}

/** Connecting a datagram socket sends nothing: the system only chooses the route. */
async function askRoute(towards: string): Promise<string> {
  const probe = createSocket(isIPv6(towards) ? "udp6" : "udp4");
  const connected = once(probe, "connect");
  try {
    probe.connect(9, towards);
    await connected;
    return probe.address().address;
  } finally {
    probe.close();
  }
}
