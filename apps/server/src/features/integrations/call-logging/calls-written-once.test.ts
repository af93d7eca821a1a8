import { specifiedCrm } from "@leadline/contract/integrations";
import type { Fault } from "@leadline/crm-sandbox/faults";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";

const app = testApp();
const { openDeps, changeRows, endCall, endCallOnNoLine, leadWithOwnNumber, makeDue, activityOf, writeAll } =
  callsAtCrms(app);

/** Set to each CRM in turn. */
let service: string;
const sandbox = () => app.crm.sandboxOf(service);
const failNext = (fault: Omit<Fault, "path">): void => sandbox().faults.add({ ...fault, path: sandbox().callsPath });
const writtenOf = (callSid: string) =>
  sandbox()
    .writtenCalls()
    .filter((call) => call.callSid === callSid);

let admin: Admin;
let integrationId: string;
let lead: { number: string; externalId: string };

async function connectAndSync(): Promise<void> {
  integrationId = await connectIntegration(app, admin, service);
  await chooseSuggestedSource(app, admin, integrationId);
  await syncToTheEnd(app, admin, integrationId);
}
const setNote = (callSid: string, note: string) =>
  changeRows(admin, sql`update calls set note = ${note} where call_sid = ${callSid}`);
async function waitsAMinute(callSid: string): Promise<boolean> {
  const { rows } = await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
    sql<{ waits: boolean }>`select due_at > clock_timestamp() + interval '50 seconds' as waits
      from call_activities where call_sid = ${callSid}`.execute(tx),
  );
  return rows[0]?.waits ?? false;
}

async function start(name: string): Promise<void> {
  service = name;
  sandbox().faults.clear();
  admin = await newAdmin(app);
  await connectAndSync();
  lead = await leadWithOwnNumber(admin);
}

describe.each(crmIds)("at %s, a call is logged once", (name) => {
  beforeEach(() => start(name));

  test("though its CRM is removed and added again, and its note changes after that", async () => {
    const callSid = await endCall(admin, lead.number);
    await writeAll(admin);
    await app.ask("DELETE", `/v1/integrations/${integrationId}`, { token: admin.token });
    expect(await activityOf(admin, callSid)).toBeNull();
    await connectAndSync();
    await setNote(callSid, "Wants a quote.");
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ note: expect.stringContaining("Wants a quote.") }]);
  });

  test("though the CRM carries out its creation after the connection is lost, which is waited for", async () => {
    const callSid = await endCall(admin, lead.number);
    const late = Promise.withResolvers<void>();
    failNext({ carriedOutAfterMs: 300, carriedOut: late.resolve });
    await writeAll(admin);
    expect(writtenOf(callSid)).toEqual([]);
    expect(await waitsAMinute(callSid)).toBe(true);
    await late.promise;
    await makeDue(admin);
    await writeAll(admin);
    expect(writtenOf(callSid)).toHaveLength(1);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" });
  });

  test("though a server that looked for it takes longer than its lease", async () => {
    const callSid = await endCall(admin, lead.number);
    failNext({ status: 500 });
    await writeAll(admin);
    await makeDue(admin);
    const looked = Promise.withResolvers<void>();
    const leaseIsOver = Promise.withResolvers<void>();
    const deps = openDeps();
    const slowly: typeof deps.crms.find = (id) => {
      const found = deps.crms.find(id);
      if (found === null) return null;
      const { calls } = found.crm;
      const find: typeof calls.find = async (...asked) => {
        const known = await calls.find(...asked);
        looked.resolve();
        await leaseIsOver.promise;
        return known;
      };
      return { ...found, crm: { ...found.crm, calls: { ...calls, find } } };
    };
    const slow = writeAll(admin, { ...deps, crms: { ...deps.crms, find: slowly } });
    await looked.promise;
    await makeDue(admin);
    await writeAll(admin, openDeps());
    expect(writtenOf(callSid)).toHaveLength(1);
    leaseIsOver.resolve();
    await slow;
    expect(writtenOf(callSid)).toHaveLength(1);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "written", problem: null });
  });

  test("with its latest note, whoever has its number by then", async () => {
    const callSid = await endCall(admin, lead.number);
    await writeAll(admin);
    await changeRows(
      admin,
      sql`update leads set phone = '', phone_number = null
        where organisation_id = ${admin.organisationId} and phone_number = ${lead.number}`,
    );
    await setNote(callSid, "Wants a quote.");
    await writeAll(admin);
    expect(writtenOf(callSid)).toMatchObject([{ note: expect.stringContaining("Wants a quote.") }]);
  });

  test("when its lead is back in the CRM, and says until then that the lead has left it", async () => {
    const callSid = await endCall(admin, lead.number);
    const ofLead = sql`where organisation_id = ${admin.organisationId} and phone_number = ${lead.number}`;
    await changeRows(admin, sql`update leads set integration_id = null, external_id = null ${ofLead}`);
    await writeAll(admin);
    expect(await activityOf(admin, callSid)).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/^The lead’s record was deleted, merged or hidden in /),
    });
    await changeRows(
      admin,
      sql`update leads set integration_id = ${integrationId}, external_id = ${lead.externalId} ${ofLead}`,
    );
    await writeAll(admin);
    expect(writtenOf(callSid)).toHaveLength(1);
    expect(await activityOf(admin, callSid)).toMatchObject({ state: "written", problem: null });
  });
});

test("a limit that lasts pauses all calls of its CRM together", async () => {
  await start(specifiedCrm);
  let asked = 0;
  const limit = { status: 429, headers: { "retry-after": "7" } };
  failNext({ ...limit, times: 10_000, carriedOut: () => (asked += 1) });
  const callSids = await Promise.all(Array.from({ length: 200 }, () => endCallOnNoLine(admin, lead.number)));
  for (let pause = 0; pause < 3; pause += 1) {
    await Promise.all([writeAll(admin), writeAll(admin, openDeps())]);
    expect(asked).toBeLessThanOrEqual((pause + 1) * 20);
    await makeDue(admin);
  }
  sandbox().faults.clear();
  await vi.waitFor(async () => {
    await makeDue(admin);
    await writeAll(admin);
    expect(callSids.filter((callSid) => writtenOf(callSid).length !== 1)).toEqual([]);
  }, 30_000);
});
