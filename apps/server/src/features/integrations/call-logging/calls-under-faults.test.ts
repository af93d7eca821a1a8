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
import { writeDueCalls } from "./write-calls.ts";

const app = testApp();
const { openDeps, changeRows, endCallOnNoLine, leadWithOwnNumber, makeDue, activityOf, writeAll } = callsAtCrms(app);

const stepOf = (sandbox: SandboxCrm) =>
  oneof(
    { weight: 4, arbitrary: record({ is: constant("call" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("edit" as const), which: nat() }) },
    { weight: 1, arbitrary: record({ is: constant("a server dies as it writes" as const) }) },
    ...faultSteps(sandbox),
  );

test.each(crmIds)("writes each call to %s exactly once with its latest note under random faults", async (service) => {
  const sandbox = app.crm.sandboxOf(service);
  const admin = await newAdmin(app);
  const integrationId = await connectIntegration(app, admin, service);
  await chooseSuggestedSource(app, admin, integrationId);
  await syncToTheEnd(app, admin, integrationId);
  const { number } = await leadWithOwnNumber(admin);
  const { organisationId } = admin;

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
        "time passes": () => makeDue(admin),
      };
      for (const each of steps)
        if (each.is === "fault") sandbox.faults.add({ ...each.fault, path: sandbox.callsPath });
        else if (each.is === "access runs out") sandbox.expireAccess();
        else if (each.is === "edit") await take.edit(each.which);
        else await take[each.is]();

      sandbox.faults.clear();
      const states = () => Promise.all([...notes.keys()].map((callSid) => activityOf(admin, callSid)));
      await vi.waitFor(
        async () => {
          await makeDue(admin);
          await writeAll(admin);
          expect((await states()).filter((one) => one?.state !== "written")).toEqual([]);
        },
        { timeout: 30_000, interval: 500 },
      );
      const there = sandbox.writtenCalls().filter(({ callSid }) => notes.has(callSid));
      expect(there.map(({ callSid }) => callSid).toSorted()).toEqual([...notes.keys()].toSorted());
      for (const { callSid, note } of there) expect(note).toContain(notes.get(callSid));
    }),
    { numRuns: 3, endOnFailure: true, seed: 20_261_124 },
  );
});
