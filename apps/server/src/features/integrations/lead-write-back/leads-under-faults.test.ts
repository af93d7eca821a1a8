import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { array, assert, asyncProperty, constant, constantFrom, nat, oneof, record } from "fast-check";
import { expect, test, vi } from "vitest";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { faultSteps } from "../../../testing/fault-steps.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { syncToTheEnd } from "../../../testing/test-integrations.ts";

const app = testApp();
const hands = leadsAtCrms(app);

const values = ["Granite", "Marble", "Slate", "Quartz"] as const;
const fields = ["company", "jobTitle", "firstName", "lastName"] as const;
const which = nat({ max: 3 });
const change = record({ field: constantFrom(...fields), value: constantFrom(...values) });
const stepOf = (sandbox: SandboxCrm) =>
  oneof(
    { weight: 4, arbitrary: record({ is: constant("edit here" as const), which, change }) },
    { weight: 3, arbitrary: record({ is: constant("edit there" as const), which, change }) },
    { weight: 2, arbitrary: record({ is: constant("add and create" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("correct the email" as const), which }) },
    { weight: 2, arbitrary: record({ is: constant("a sync" as const) }) },
    ...faultSteps(sandbox, [{ loseAnswer: true, after: 2 }]),
  );

test.each(crmIds)(
  "leads and records in %s are the same in the end, each once, under random edits on both sides and faults",
  async (service) => {
    const sandbox = app.crm.sandboxOf(service);
    const { by, integrationId } = await hands.connect(service, { sends: true });
    const known = await Promise.all([50, 51, 52, 53].map((index) => hands.leadAt(by, service, index)));

    await assert(
      asyncProperty(array(stepOf(sandbox), { minLength: 25, maxLength: 45 }), async (steps) => {
        const made: { id: string; emails: string[] }[] = [];
        for (const step of steps) {
          if (step.is === "fault") sandbox.faults.add({ ...step.fault, path: sandbox.leadPath });
          else if (step.is === "access runs out") sandbox.expireAccess();
          else if (step.is === "two servers write")
            await Promise.all([hands.writeAll(by), hands.writeAll(by, hands.openDeps())]);
          else if (step.is === "time passes") await hands.makeDue(by);
          else if (step.is === "a sync") {
            sandbox.faults.clear();
            // A pause may last a day.
            await hands.makeDue(by);
            await syncToTheEnd(app, by, integrationId);
          } else if (step.is === "add and create") {
            const lead = await hands.add(by);
            made.push({ id: lead.id, emails: [lead.email] });
            await hands.createIn(by, lead.id, integrationId);
          } else if (step.is === "correct the email") {
            const lead = made.at(-1 - step.which);
            if (lead === undefined) continue;
            lead.emails.unshift(`${lead.emails.length}-${lead.emails.at(-1)}`);
            await hands.edit(by, lead.id, { email: lead.emails[0] });
          } else {
            const { id, record: of } = known[step.which] ?? { id: "", record: { id: "" } };
            const { field, value } = step.change;
            if (step.is === "edit here") await hands.edit(by, id, { [field]: value });
            else sandbox.leads.change(of.id, { [field]: `${value} there` });
          }
        }

        sandbox.faults.clear();
        await vi.waitFor(
          async () => {
            await hands.makeDue(by);
            await hands.writeAll(by);
            const states = await Promise.all([...known, ...made].map(({ id }) => hands.writingOf(by, id)));
            expect(states.filter((one) => one !== null && one.state !== "written")).toEqual([]);
          },
          { timeout: 30_000, interval: 500 },
        );
        await syncToTheEnd(app, by, integrationId);
        for (const { id, record: of } of known) {
          const there = hands.recordOf(service, of.id);
          expect(await hands.leadOf(by, id)).toMatchObject({
            firstName: there?.firstName,
            lastName: there?.lastName,
            company: there?.company,
            jobTitle: there?.jobTitle,
          });
        }
        for (const { id, emails } of made) {
          const records = sandbox.leads.list().filter(({ email }) => emails.includes(email));
          expect(records.map(({ email }) => email)).toEqual(emails.slice(0, 1));
          expect(await hands.countWith(by, records[0]?.id ?? "")).toBe(1);
          expect(await hands.leadOf(by, id)).toMatchObject({ id, integrationId });
        }
      }),
      { numRuns: 3, endOnFailure: true, seed: 20_261_127 },
    );
  },
);
