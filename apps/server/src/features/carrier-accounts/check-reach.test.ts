import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { checkReach } from "./check-reach.ts";

/** Every address in 127.0.0.0/8 is this machine, like a router that forwards the port. */
const forwarded = "127.0.0.1";
/** Reserved for documentation (RFC 5737): nothing is there. */
const elsewhere = "192.0.2.1";

async function openPort() {
  const socket = createSocket("udp4");
  socket.bind(0);
  await once(socket, "listening");
  const { port } = socket.address();
  return { socket, port };
}
async function freePort(): Promise<number> {
  const { socket, port } = await openPort();
  socket.close();
  await once(socket, "close");
  return port;
}

test("an address of this machine is reachable without a packet", async () => {
  expect(await checkReach({ address: forwarded, port: await freePort() })).toBe("own");
});

test("a packet shows whether an address reaches this machine", async () => {
  expect(await checkReach({ address: forwarded, port: await freePort() }, [])).toBe("arrives");
  expect(await checkReach({ address: elsewhere, port: await freePort() }, [])).toBe("lost");
});

test("a port that is in use isn't touched", async () => {
  const { socket, port } = await openPort();
  onTestFinished(() => void socket.close());
  expect(await checkReach({ address: forwarded, port }, [])).toBe("in-use");
});
