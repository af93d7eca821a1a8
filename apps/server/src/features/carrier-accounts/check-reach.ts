import { randomBytes } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";

/**
 * own: this machine has the address. arrives: a packet sent there came back through the router. lost: it didn't.
 * in-use: the port is taken, for example by the trunk's own socket, and the address isn't this machine's own.
 */
export type Reach = "own" | "arrives" | "lost" | "in-use";

const patienceMs = 1_500;
const everyMs = 250;

/** Whether packets to an address and UDP port reach this machine, as far as it can tell from the inside. */
export async function checkReach(
  { address, port }: { address: string; port: number },
  addresses: readonly string[] = ownAddresses(),
): Promise<Reach> {
  if (addresses.includes(address)) return "own";
  const called = createSocket("udp4");
  const caller = createSocket("udp4");
  caller.on("error", () => {});
  try {
    if (!(await bind(called, port))) return "in-use";
    return (await comesIn(called, caller, { address, port })) ? "arrives" : "lost";
  } finally {
    called.close();
    caller.close();
  }
}

/** Sends several packets, since UDP may lose any of them. */
async function comesIn(called: Socket, caller: Socket, to: { address: string; port: number }): Promise<boolean> {
  const token = randomBytes(16);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  called.on("message", (bytes) => bytes.equals(token) && resolve(true));
  const send = () => caller.send(token, to.port, to.address, () => {});
  send();
  const again = setInterval(send, everyMs);
  const tooLate = setTimeout(() => resolve(false), patienceMs);
  return promise.finally(() => {
    clearInterval(again);
    clearTimeout(tooLate);
  });
}

/** False if the port is taken. */
export async function bind(socket: Socket, port: number): Promise<boolean> {
  try {
    const listening = once(socket, "listening");
    socket.bind(port);
    await listening;
    return true;
  } catch {
    return false;
  }
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));

export const reachSentences = {
  own: () => "This server has that address itself, so only a firewall can keep calls out.",
  arrives: () => "A packet sent to that address arrives at this server.",
  lost: (port: number) =>
    `A packet sent to that address didn’t arrive at this server. If it’s behind a NAT, forward UDP port ${port} to it. Some routers block this test, but not calls.`,
  "in-use": () => "Whether calls get there wasn’t checked again, because the port is in use.",
} as const satisfies Record<Reach, (port: number) => string>;
