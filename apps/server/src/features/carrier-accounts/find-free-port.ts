import { createSocket } from "node:dgram";
import { randomInt } from "node:crypto";
import { bind } from "./check-reach.ts";

/** A firewall opens these ports for incoming calls. */
const [first, last] = [5070, 5169];

/** A UDP port that is free here and not in `taken`. Null if there is none. */
export async function findFreePort(taken: readonly number[]): Promise<number | null> {
  const left = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((port) => !taken.includes(port));
  while (left.length > 0) {
    const [port] = left.splice(randomInt(left.length), 1);
    if (port !== undefined && (await isFree(port))) return port;
  }
  return null;
}

function isFree(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return bind(socket, port).finally(() => socket.close());
}
