import { CrmError } from "@leadline/adapter-kit/crm";
import { specifiedCrm } from "@leadline/contract/integrations";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
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
import { runCrmWriting } from "../run-crm-writing.ts";

const app = testApp();
const { openDeps, changeRows, endCall, activityOf } = callsAtCrms(app);

async function leadFrom(admin: Admin, service: string): Promise<{ leadId: string; number: string }> {
  const integrationId = await connectIntegration(app, admin, service);
  await chooseSuggestedSource(app, admin, integrationId);
  await syncToTheEnd(app, admin, integrationId);
  return app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
    tx
      .selectFrom("leads")
      .select(["id as leadId", "phone_number as number"])
      .where("integration_id", "=", integrationId)
      .where("phone_number", "is not", null)
      .$narrowType<{ number: string }>()
      .executeTakeFirstOrThrow(),
  );
}

test("a CRM that doesn't respond delays only its own calls", async () => {
  const admin = await newAdmin(app);
  const { organisationId } = admin;
  const [slowCrm, quickCrm] = crmIds;
  if (slowCrm === undefined || quickCrm === undefined) throw new Error("there are fewer than two CRMs");
  const [slow, quick] = [await leadFrom(admin, slowCrm), await leadFrom(admin, quickCrm)];
  // As many as one batch has, and due before the other CRM's call.
  const slowCalls: string[] = [];
  for (let call = 0; call < 10; call += 1) slowCalls.push(await endCall(admin, slow.number, { leadId: slow.leadId }));
  const quickCall = await endCall(admin, quick.number, { leadId: quick.leadId });

  const hanging = Promise.withResolvers<void>();
  const deps = openDeps();
  const find: typeof deps.crms.find = (service) => {
    const found = deps.crms.find(service);
    if (found === null || service !== slowCrm) return found;
    const create = async () => {
      await hanging.promise;
      throw new CrmError("unreachable", "The CRM did not answer in time.");
    };
    return { ...found, crm: { ...found.crm, calls: { ...found.crm.calls, create } } };
  };
  const writing = runCrmWriting({ ...deps, crms: { ...deps.crms, find } }, { organisationId });
  try {
    await vi.waitFor(async () => {
      expect(await activityOf(admin, quickCall)).toMatchObject({ state: "written" });
      for (const callSid of slowCalls)
        expect(await activityOf(admin, callSid)).toMatchObject({ state: "waiting", tries: 1, problem: null });
    }, 30_000);
  } finally {
    hanging.resolve();
    await writing.close();
  }
});

test("a lead that takes long to write doesn't delay calls of the same CRM", async () => {
  const admin = await newAdmin(app);
  const { organisationId } = admin;
  const lead = await leadFrom(admin, specifiedCrm);
  const asked = Promise.withResolvers<void>();
  const hanging = Promise.withResolvers<void>();
  const deps = openDeps();
  const find: typeof deps.crms.find = (service) => {
    const found = deps.crms.find(service);
    if (found === null) return found;
    const create = async () => {
      asked.resolve();
      await hanging.promise;
      throw new CrmError("unreachable", "The CRM did not answer in time.");
    };
    return { ...found, crm: { ...found.crm, leads: { ...found.crm.leads, create } } };
  };
  const body = { firstName: "Rosalind", lastName: "Quarry", email: "rosalind@quarry.example", phone: "+12025550177" };
  const added = await app.ask("POST", "/v1/leads", { token: admin.token, body });
  await changeRows(
    admin,
    sql`insert into lead_writes (lead_id, organisation_id, integration_id, creates)
      select ${added.json().id}, organisation_id, id, true from integrations where organisation_id = ${organisationId}`,
  );
  const writing = runCrmWriting({ ...deps, crms: { ...deps.crms, find } }, { organisationId });
  try {
    await asked.promise;
    const callSid = await endCall(admin, lead.number, { leadId: lead.leadId });
    await vi.waitFor(async () => expect(await activityOf(admin, callSid)).toMatchObject({ state: "written" }), 30_000);
  } finally {
    hanging.resolve();
    await writing.close();
  }
});
