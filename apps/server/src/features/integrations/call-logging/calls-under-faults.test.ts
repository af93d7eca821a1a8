import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { array, assert, asyncProperty, constant, nat, oneof, record } from "fast-check";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { faultSteps } from "../../../testing/fault-steps.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import {
  chooseSuggestedSource,
  connectIntegration,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";
import { writeDueCalls } from "./write-calls.ts";

const app = testApp();
const { openDeps, changeRows, endCallOnNoLine, leadWithOwnNumber, makeDue, activityOf, writeAll } = callsAtCrms(app);

const stepOf = (sandbox: SandboxCrm) =>
  oneof(
    { weight: 4, arbitrary: record({ is: constant("call" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("edit" as const), which: nat() }) },
    { weight: 1, arbitrary: record({ is: constant("a server dies as it writes" as const) }) },
    { weight: 1, arbitrary: record({ is: constant("another lead gets the number" as const) }) },
    { weight: 1, arbitrary: record({ is: constant("the lead is deleted" as const) }) },
    ...faultSteps(sandbox),
  );

test.each(crmIds)("writes each call to %s exactly once under random faults and changes of leads", async (service) => {
  const sandbox = app.crm.sandboxOf(service);
  const admin = await newAdmin(app);
  const integrationId = await connectIntegration(app, admin, service);
  await chooseSuggestedSource(app, admin, integrationId);
  await syncToTheEnd(app, admin, integrationId);
  const { number } = await leadWithOwnNumber(admin);
  const { organisationId } = admin;
  const purge = purgeRemovedJob(app.database);

  /** The number's lead keeps what is logged. */
  async function giveNumberAway(): Promise<void> {
    const ofLead = sql`where organisation_id = ${organisationId} and phone_number`;
    await changeRows(admin, sql`update leads set phone = '', phone_number = null ${ofLead} = ${number}`);
    await changeRows(
      admin,
      sql`update leads set phone = ${number}, phone_number = ${number} where id = (
        select id from leads ${ofLead} is not null and external_id is not null order by position limit 1)`,
    );
  }
  async function deleteLead(): Promise<void> {
    const found = await app.ask("GET", `/v1/leads?phoneNumber=${encodeURIComponent(number)}`, { token: admin.token });
    expect((await app.ask("DELETE", `/v1/leads/${found.json()[0].id}`, { token: admin.token })).statusCode).toBe(204);
    await giveNumberAway();
  }
  async function purgeDeleted(): Promise<void> {
    await changeRows(
      admin,
      sql`update lead_changes set undo_until = clock_timestamp()
      where organisation_id = ${organisationId}`,
    );
    await purge.run({}, { enqueue: async () => {} });
  }

  await assert(
    asyncProperty(array(stepOf(sandbox), { minLength: 30, maxLength: 60 }), async (steps) => {
      const notes = new Map<string, string>();
      const take = {
        call: async () => void notes.set(await endCallOnNoLine(admin, number), ""),
        async edit(which: number) {
          const callSid = [...notes.keys()][which % Math.max(1, notes.size)];
          if (callSid === undefined) return;
          notes.set(callSid, `Note ${which}.`);
          await changeRows(admin, sql`update calls set note = ${`Note ${which}.`} where call_sid = ${callSid}`);
        },
        "two servers write": async () => void (await Promise.all([writeAll(admin), writeAll(admin, openDeps())])),
        async "a server dies as it writes"() {
          const publishCall = async () => {
            throw new DatabaseUnreachable({ cause: null });
          };
          await writeDueCalls(openDeps({ publishCall }), { organisationId }).catch(() => {});
        },
        async "time passes"() {
          await makeDue(admin);
          await purgeDeleted();
        },
        "another lead gets the number": giveNumberAway,
        "the lead is deleted": deleteLead,
      };
      for (const each of steps)
        if (each.is === "fault") sandbox.faults.add({ ...each.fault, path: sandbox.callsPath });
        else if (each.is === "access runs out") sandbox.expireAccess();
        else if (each.is === "edit") await take.edit(each.which);
        else await take[each.is]();

      sandbox.faults.clear();
      const states = async () =>
        new Map(await Promise.all([...notes.keys()].map(async (sid) => [sid, await activityOf(admin, sid)] as const)));
      await vi.waitFor(
        async () => {
          await makeDue(admin);
          await writeAll(admin);
          // A deleted lead takes the activities of its logged calls along.
          expect([...(await states()).values()].filter((one) => one !== null && one.state !== "written")).toEqual([]);
        },
        { timeout: 30_000, interval: 500 },
      );
      const there = sandbox.writtenCalls().filter(({ callSid }) => notes.has(callSid));
      expect(there.map(({ callSid }) => callSid).toSorted()).toEqual([...notes.keys()].toSorted());
      const known = await states();
      const isLatest = there.map(({ callSid, note }) => !known.get(callSid) || note.includes(notes.get(callSid) ?? ""));
      expect(isLatest).not.toContain(false);
    }),
    { numRuns: 3, endOnFailure: true, seed: 20_261_124 },
  );
});
