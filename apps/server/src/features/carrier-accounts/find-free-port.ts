import { createSocket } from "node:dgram";
import { once } from "node:events";
import { randomInt } from "node:crypto";

/** A firewall opens these for calls in. */
const [first, last] = [5070, 5169];

/** A UDP port at which nothing listens here now. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(first, last + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports ${first} to ${last} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  try {
    const listening = once(socket, "listening");
    socket.bind(port);
    await listening;
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
