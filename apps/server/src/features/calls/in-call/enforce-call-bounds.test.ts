import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import type { Limits } from "@leadline/contract/limits";
import { expect, test } from "vitest";
import { openEventStream } from "../../../testing/open-event-stream.ts";
import { sandboxLine } from "../../../testing/sandbox-line.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
const price = 20_000;
let origin: Promise<string> | undefined;
const listening = () => (origin ??= app.http.listen({ port: 0, host: "127.0.0.1" }));

/** Opens a call whose row says that it was answered that many seconds ago; only its process's clock disagrees. */
async function talkingFor(seconds: number, limits: Partial<Limits>): Promise<{ rep: Rep; callSid: string }> {
  const rep = await newRep(app);
  const carrier = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: price };
  await app.ask("POST", "/v1/carriers", { token: rep.token, body: carrier });
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  await setAnswered({ rep, callSid }, seconds);
  const changed = await app.ask("PUT", "/v1/limits", { token: rep.token, body: limits });
  expect(changed.statusCode).toBe(200);
  return { rep, callSid };
}

async function setAnswered({ rep, callSid }: { rep: Rep; callSid: string }, secondsAgo: number): Promise<void> {
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .updateTable("calls")
      .set({ answered_at: new Date(Date.now() - secondsAgo * 1000).toISOString() })
      .where("call_sid", "=", callSid)
      .execute(),
  );
}

const get = async (rep: Rep, callSid: string): Promise<Call> =>
  (await app.ask("GET", `/v1/calls/${callSid}`, { token: rep.token })).json();

const breaches = async (rep: Rep) => (await app.ask("GET", "/v1/limits/breaches", { token: rep.token })).json();

test("a call is warned about, and ends before the minute that the daily spending limit doesn't cover", async () => {
  const { rep, callSid } = await talkingFor(52, { dailySpend: price });
  // Without an open tab the call would end after 15 s.
  const stream = await openEventStream(await listening(), rep);
  await expect.poll(async () => (await get(rep, callSid)).cutOff?.reason).toBe("spending-limit");
  const { at } = (await get(rep, callSid)).cutOff ?? { at: "" };
  expect(Date.parse(at)).toBeGreaterThan(Date.now());
  await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
  const ended = await get(rep, callSid);
  expect(ended).toMatchObject({ cause: { reason: "spending-limit", q850: 16 }, cutOff: null, costMicros: price });
  expect(await breaches(rep)).toMatchObject([
    { limit: "daily-spend", isMembers: false, ended: true, userId: rep.id, phoneNumber: "+12025550100" },
  ]);
  stream.close();
});

test("a call continues if the limit is raised after the warning", async () => {
  const { rep, callSid } = await talkingFor(10, { dailySpend: price });
  // Without an open tab the call would end after 15 s.
  const stream = await openEventStream(await listening(), rep);
  await expect.poll(async () => (await get(rep, callSid)).cutOff?.reason).toBe("spending-limit");
  await app.ask("PUT", "/v1/limits", {
    token: rep.token,
    body: { dailySpend: 50_000_000, currentPassword: rep.password },
  });
  await expect.poll(async () => (await get(rep, callSid)).cutOff).toBeNull();
  expect((await get(rep, callSid)).status).toBe("in-progress");
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  stream.close();
});

test("a call continues if the limit is raised within seconds of its end", async () => {
  const { rep, callSid } = await talkingFor(10, { dailySpend: price });
  // Without an open tab the call would end after 15 s.
  const stream = await openEventStream(await listening(), rep);
  await expect.poll(async () => (await get(rep, callSid)).cutOff?.reason).toBe("spending-limit");
  // The next check, in five to six seconds, sets a timer for the end; the check after that comes before the timer.
  await setAnswered({ rep, callSid }, 44.5);
  let dueMs = Infinity;
  await expect
    .poll(async () => (dueMs = Date.parse((await get(rep, callSid)).cutOff?.at ?? "")))
    .toBeLessThan(Date.now() + 20_000);
  await app.ask("PUT", "/v1/limits", {
    token: rep.token,
    body: { dailySpend: 50_000_000, currentPassword: rep.password },
  });
  await expect.poll(() => Date.now()).toBeGreaterThan(dueMs + 1_500);
  expect((await get(rep, callSid)).status).toBe("in-progress");
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  stream.close();
});

test("a call ends at the organisation's maximum call length", async () => {
  const { rep, callSid } = await talkingFor(52, { callMinutes: 1 });
  await expect.poll(async () => (await get(rep, callSid)).cutOff?.reason).toBe("call-length-limit");
  await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
  expect((await get(rep, callSid)).cause?.reason).toBe("call-length-limit");
  expect(await breaches(rep)).toMatchObject([{ limit: "call-length", isMembers: false, ended: true, attempts: 1 }]);
});
