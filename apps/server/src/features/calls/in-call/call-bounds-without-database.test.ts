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

test("a call ends at its maximum length while the database is unreachable", { timeout: 90_000 }, async () => {
  const { rep, peer, callSid } = await placeRawTrunkCall(app);
  const { token, organisationId } = rep;
  await app.ask("PUT", "/v1/limits", { token, body: { callMinutes: 1 } });
  // 19 s are left, so several checks of the limits fail before the end.
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx
      .updateTable("calls")
      .set({ answered_at: new Date(Date.now() - 40_000).toISOString() })
      .where("call_sid", "=", callSid)
      .execute(),
  );
  await expect
    .poll(async () => (await readCall(app, rep, callSid)).cutOff?.reason, { timeout: 10_000 })
    .toBe("call-length-limit");
  database.cut();
  await peer.next("BYE");
  database.mend();
  const ended = await waitForStatus(app, rep, { callSid, status: "completed", timeoutMs: 30_000 });
  expect(ended.cause?.reason).toBe("call-length-limit");
});
