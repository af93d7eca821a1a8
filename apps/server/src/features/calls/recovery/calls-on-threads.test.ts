import type { Worker } from "node:worker_threads";
import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { afterAll, expect, test, vi } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

let threads = 0;
const count = (worker: Worker): void => void worker.once("message", () => threads++);
process.on("worker", count);
const app = testAppWithCalls(carrierModules, { legsBeforeNext: 1 });
afterAll(() => void process.off("worker", count));

async function openTab(rep: Rep) {
  const browser = await openTestBrowser();
  const body = { offer: browser.offer };
  const opened = await app.ask("POST", "/v1/media-connections", { token: rep.token, body });
  await browser.acceptAnswer(opened.json().answer);
  const mediaConnectionId: string = opened.json().mediaConnectionId;
  return {
    browser,
    mediaConnectionId,
    take: (callSid: string) =>
      app.ask("POST", `/v1/calls/${callSid}/media`, { token: rep.token, body: { mediaConnectionId } }),
  };
}

test("keeps everything a person opens on one thread: each tab can attach to the call, and a call without a tab too", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const before = threads;
  const first = await openTab(rep);
  const others = await openTab(other);
  await vi.waitFor(() => expect(threads).toBe(before + 1));
  // From here on the other thread has fewer legs.
  const second = await openTab(rep);
  const callSid = await dial(app, rep, "+12025550101");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  for (const tab of [first, second, first]) expect((await tab.take(callSid)).statusCode).toBe(200);
  first.browser.sendTone(440);
  await vi.waitFor(async () => expect(shareAt(440, await first.browser.listen(500))).toBeGreaterThan(0.8));
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  for (const { browser } of [first, others, second]) await browser.close();
});
