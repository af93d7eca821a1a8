import { setTimeout as sleep } from "node:timers/promises";
import { flood, floodedNumber } from "@leadline/carrier-sip-trunk/testing/flood";
import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { expect, onTestFinished, test, vi } from "vitest";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

/** Few enough that a slow machine has written them soon. */
const app = testAppWithCalls(undefined, { callsInAMinute: 30 });

test("responds to API calls during a flood of 1,000 INVITEs a second", async () => {
  const origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  const { token } = await newRep(app);
  const trunk = await openSipPeer({ onHeard: (heard) => heard.what === "OPTIONS" && heard.reply(200) });
  onTestFinished(() => trunk.close());
  const localPort = await freePort();
  const place = { host: `127.0.0.1:${trunk.port}`, transport: "udp", authentication: "ip", localPort };
  const settings = { ...place, numbers: [floodedNumber] };
  await app.ask("POST", "/v1/carriers", { token, body: { kind: "sip-trunk", label: "Trunk", settings } });
  await vi.waitFor(() => expect(trunk.heard("OPTIONS").length).toBeGreaterThan(0));

  const over = new AbortController();
  const flooding = flood(localPort).finally(() => over.abort());
  const statuses: number[] = [];
  while (!over.signal.aborted) {
    const answer = await fetch(`${origin}/api/v1/calls`, { headers: { authorization: `Bearer ${token}` } });
    statuses.push(answer.status);
    // The load of a few people's tabs.
    await sleep(20);
  }
  const sent = await flooding;
  onTestFinished(() => sent.close());
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(0);
  await expect.poll(sent.answered).toBeGreaterThan(0);
  expect(sent.answersToStranger()).toBe(0);
});
