import { afterAll, expect, test } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { breakableDatabase } from "../../../testing/breakable-database.ts";
import { ownMigratedDatabase } from "../../../testing/own-database.ts";
import { placeRawTrunkCall } from "../../../testing/raw-trunk-call.ts";
import { readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const own = await ownMigratedDatabase();
const database = await breakableDatabase(own.url);
// Registered before the app's own hook, so it runs after the app has closed.
afterAll(async () => {
  database.close();
  await own.drop();
});
// Nobody has a page open, and the far end sends no audio.
const app = testAppWithCalls(carrierModules, {
  databaseUrl: database.url,
  unattendedMs: 600_000,
  mediaTimeoutMs: null,
});

async function setAnswered(call: { organisationId: string; callSid: string }, secondsAgo: number): Promise<void> {
  await app.database.withTransaction({ organisationId: call.organisationId }, (tx) =>
    tx
      .updateTable("calls")
      .set({ answered_at: new Date(Date.now() - secondsAgo * 1000).toISOString() })
      .where("call_sid", "=", call.callSid)
      .execute(),
  );
}

test("a call ends at its maximum length while the database is unreachable", { timeout: 90_000 }, async () => {
  const { rep, peer, callSid } = await placeRawTrunkCall(app);
  await app.ask("PUT", "/v1/limits", { token: rep.token, body: { callMinutes: 1 } });
  // 19 s are left, so several checks of the limits fail before the end.
  await setAnswered({ ...rep, callSid }, 40);
  await expect
    .poll(async () => (await readCall(app, rep, callSid)).cutOff?.reason, { timeout: 10_000 })
    .toBe("call-length-limit");
  database.cut();
  await peer.next("BYE");
  database.mend();
  const ended = await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
  expect(ended.cause?.reason).toBe("call-length-limit");
});

test(
  "a prepaid call ends when its hold is used up while the database is unreachable",
  { timeout: 90_000 },
  async () => {
    const { rep, peer, callSid } = await placeRawTrunkCall(app, { pricePerMinute: 20_000, balanceMicros: 10_000_000 });
    const seenAt = () =>
      app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
        tx.selectFrom("calls").select("seen_at").where("call_sid", "=", callSid).executeTakeFirstOrThrow(),
      );
    // 24 s of the first minute are left, so the next check doesn't extend the hold yet.
    await setAnswered({ ...rep, callSid }, 35);
    const before = await seenAt();
    await expect.poll(seenAt, { timeout: 10_000 }).not.toEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 500));
    database.cut();
    await peer.next("BYE");
    database.mend();
    const ended = await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
    expect(ended.cause?.reason).toBe("balance-used-up");
    const { heldMicros } = (await app.ask("GET", "/v1/billing/summary", { token: rep.token })).json();
    expect(heldMicros).toBe(0);
  },
);
