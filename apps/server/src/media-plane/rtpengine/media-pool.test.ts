import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { openMediaPool } from "./media-pool.ts";

/** Answers every command as an rtpengine without sessions does. */
async function startIdleNode() {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (message, { port, address }) => {
    asked += 1;
    const [cookie] = message.toString("latin1").split(" ");
    socket.send(`${cookie} d6:result2:oke`, port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { host: "127.0.0.1", port: socket.address().port, asked: () => asked };
}

test("sessions go to each rtpengine in turn while their counts lack the latest", async () => {
  const nodes = await Promise.all([startIdleNode(), startIdleNode(), startIdleNode()]);
  const log = { info: () => {}, warn: () => {} };
  const pool = await openMediaPool(nodes, { log, onAway: () => {}, lookEveryMs: 5 });
  onTestFinished(() => pool.close());
  const chosen: (string | undefined)[] = [];
  for (let sessions = 0; sessions < 6; sessions += 1) {
    chosen.push(pool.choose({ except: new Set() })?.name);
    const before = nodes.map(({ asked }) => asked());
    await vi.waitFor(() => nodes.forEach(({ asked }, i) => expect(asked()).toBeGreaterThan((before[i] ?? 0) + 1)));
  }
  expect(new Set(chosen.slice(0, 3)).size).toBe(3);
  expect(chosen.slice(3)).toEqual(chosen.slice(0, 3));
});
