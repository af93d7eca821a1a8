import { CrmError } from "@leadline/adapter-kit/crm";
import { specifiedCrm } from "@leadline/contract/integrations";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { connectIntegration, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { findPause } from "../sync/request-pauses.table.ts";

const app = testApp();
const { openDeps, changeRows, endCall, leadWithOwnNumber, makeDue, activityOf, writeAll } = callsAtCrms(app);

test("a limit that refuses part of a batch pauses all requests, though others of the batch succeed after it", async () => {
  const admin = await newAdmin(app);
  const { organisationId } = admin;
  const integrationId = await connectIntegration(app, admin);
  await syncToTheEnd(app, admin, integrationId);
  const { number } = await leadWithOwnNumber(admin);
  const pause = () =>
    app.database.withTransaction({ organisationId }, (tx) => findPause(tx, { organisationId, integrationId }));
  // A pause that is over.
  await changeRows(
    admin,
    sql`update integrations set pauses = 2, paused_until = clock_timestamp() where id = ${integrationId}`,
  );
  const [refused, accepted] = [await endCall(admin, number), await endCall(admin, number)];
  const deps = openDeps();
  const found = deps.crms.find(specifiedCrm);
  if (found === null) throw new Error("there is no such CRM");
  const create: typeof found.crm.calls.create = async (grant, call) => {
    if (call.callSid === refused)
      throw new CrmError("limited", "The CRM asks to slow down.", { retryAfterMs: 3_600_000 });
    await vi.waitFor(async () => expect((await pause()).leftMs).toBeGreaterThan(0), 30_000);
    return found.crm.calls.create(grant, call);
  };
  const crm = { ...found.crm, calls: { ...found.crm.calls, create } };
  await writeAll(admin, { ...deps, crms: { ...deps.crms, find: () => ({ ...found, crm }) } });
  expect(await activityOf(admin, accepted)).toMatchObject({ state: "written" });
  expect(await pause()).toEqual({ leftMs: expect.toSatisfy((ms) => ms > 0), pauses: 3 });

  const later = await endCall(admin, number);
  await writeAll(admin);
  expect(await activityOf(admin, later)).toMatchObject({ state: "waiting", tries: 0 });
  await makeDue(admin);
  await writeAll(admin);
  for (const callSid of [refused, later]) expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
  expect(await pause()).toEqual({ leftMs: 0, pauses: 0 });
});

test("a limit that asks for no pause at all still pauses requests, the longer the more often", async () => {
  const admin = await newAdmin(app);
  const { organisationId } = admin;
  const integrationId = await connectIntegration(app, admin);
  await syncToTheEnd(app, admin, integrationId);
  const { number } = await leadWithOwnNumber(admin);
  await changeRows(admin, sql`update integrations set pauses = 5 where id = ${integrationId}`);
  const callSid = await endCall(admin, number);
  const deps = openDeps();
  const found = deps.crms.find(specifiedCrm);
  if (found === null) throw new Error("there is no such CRM");
  const create = async () => {
    throw new CrmError("limited", "The CRM asks to slow down.", { retryAfterMs: 0 });
  };
  const crm = { ...found.crm, calls: { ...found.crm.calls, create } };
  await writeAll(admin, { ...deps, crms: { ...deps.crms, find: () => ({ ...found, crm }) } });
  expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting" });
  const { leftMs } = await app.database.withTransaction({ organisationId }, (tx) =>
    findPause(tx, { organisationId, integrationId }),
  );
  expect(leftMs).toBeGreaterThan(10_000);
});
