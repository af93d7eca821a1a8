import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { flatRate } from "../../testing/flat-rate.ts";
import { counted, haveCalled } from "../../testing/have-called.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { adjustBalance } from "../../testing/set-balance.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { applyCosts } from "./apply-costs.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});
const vendor = provisioners[0]?.module.id ?? "";

/** A prepaid call of which one minute was seen and charged. Its carrier's record has 200 s. */
async function leaveCall(ended: { reason: "server-restarted" | "media-lost" | "hung-up-here"; resumed_unseen?: true }) {
  const sandbox = sandboxes.get(vendor);
  if (!sandbox) throw new Error("The first vendor has no sandbox.");
  const rep = await newRep(app);
  const { organisationId } = rep;
  const account = await connectAccount(app, rep, { vendor, sandbox });
  const phoneNumber = "+13035550142";
  const begunAt = new Date(Date.now() - 2 * 3_600_000);
  const call = { callSid: `CA${randomUUID().replaceAll("-", "")}`, carrierCallId: randomUUID(), phoneNumber, begunAt };
  const hold = { organisation_id: organisationId, key: `call:${call.callSid}`, amount: 0, resolved_at: null };
  await app.database.withTransaction(rep, (tx) => tx.insertInto("ledger_holds").values(hold).execute());
  await adjustBalance(app.database, { organisationId, balanceMicros: 2.5 * counted });
  await haveCalled(app, rep, account, [{ ...call, seconds: 60 }]);
  await app.database.withTransaction(rep, (tx) =>
    tx
      .updateTable("calls")
      .set({ ...ended, rate: JSON.stringify(flatRate(counted)) })
      .where("call_sid", "=", call.callSid)
      .execute(),
  );
  const record = { trunk: account.trunk, from: "+12025550199", to: phoneNumber, startedAt: begunAt, seconds: 200 };
  sandbox.addRecord({ ...record, id: call.carrierCallId });
  const read = () => app.ask("POST", "/v1/billing/carrier-costs/read", { token: rep.token });
  const get = async (path: `/${string}`) => (await app.ask("GET", path, { token: rep.token })).json();
  return { callSid: call.callSid, carrier: { organisationId, carrierId: account.carrierId }, read, get };
}

test.each([
  ["ended", { reason: "server-restarted" }],
  ["resumed, but whose far end didn't respond", { reason: "media-lost", resumed_unseen: true }],
] as const)(
  "a prepaid call that a restart %s is charged once for the rest of its record's time; what the balance doesn't cover is written off",
  async (_which, ended) => {
    const { callSid, carrier, read, get } = await leaveCall(ended);
    expect((await read()).statusCode).toBe(204);
    await Promise.all([read(), applyCosts(app.database, carrier), applyCosts(app.database, carrier)]);
    // The callee hung up in the fourth minute.
    expect(await get("/v1/billing/summary")).toMatchObject({ balanceMicros: 0, monthCostMicros: 4 * counted });
    expect((await get("/v1/billing/entries?kind=correction")).entries).toMatchObject([
      { account: "write-off", amountMicros: -1.5 * counted, callSid },
      { account: "balance", amountMicros: -1.5 * counted, callSid },
    ]);
    expect(await get(`/v1/calls/${callSid}/carrier-cost`)).toMatchObject({
      countedMicros: counted,
      chargedMicros: 4 * counted,
    });
  },
);

test("a prepaid call whose end was seen keeps its cost, however long its record says that it lasted", async () => {
  const { read, get } = await leaveCall({ reason: "hung-up-here" });
  expect((await read()).statusCode).toBe(204);
  expect(await get("/v1/billing/summary")).toMatchObject({ balanceMicros: 1.5 * counted, monthCostMicros: counted });
});
