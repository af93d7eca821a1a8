import type { Lead } from "@leadline/contract/leads";
import type { Fault } from "@leadline/crm-sandbox/faults";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import { callsAtCrms } from "../../../testing/calls-at-crms.ts";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { type Admin, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { purgeRemovedJob } from "../../lead-changes/purge-removed.ts";

const app = testApp();
const hands = leadsAtCrms(app);
const calls = callsAtCrms(app);
const { add, createIn, edit, leadOf, writingOf, writeAll, makeDue, countWith } = hands;

/** Set to each CRM in turn. */
let service: string;
const sandbox = () => app.crm.sandboxOf(service);
const failNext = (fault: Omit<Fault, "path">): void => sandbox().faults.add({ ...fault, path: sandbox().leadPath });
const recordsOf = ({ email }: Lead) =>
  sandbox()
    .leads.list()
    .filter((record) => record.email === email);

let admin: Admin;
let integrationId: string;
let lead: Lead;

/** The lead and its record are one and the same, and no other lead has the record. */
async function expectLinked(): Promise<void> {
  const [record, ...others] = recordsOf(lead);
  expect(others).toEqual([]);
  expect(await leadOf(admin, lead.id)).toMatchObject({ id: lead.id, integrationId, crmUrl: expect.any(String) });
  expect(await countWith(admin, record?.id ?? "")).toBe(1);
  expect(await writingOf(admin, lead.id)).toMatchObject({ state: "written", creates: false, problem: null });
}

const isStored = (leadId: string): Promise<boolean> =>
  app.database.withTransaction({ organisationId: admin.organisationId }, async (tx) => {
    await seeRemovedLeads(tx, "on");
    return (await tx.selectFrom("leads").select("id").where("id", "=", leadId).execute()).length > 0;
  });

describe.each(crmIds)("a lead of Leadline, created in %s,", (name) => {
  beforeEach(async () => {
    service = name;
    sandbox().faults.clear();
    ({ by: admin, integrationId } = await hands.connect(service, { sends: false }));
    lead = await add(admin);
  });

  test("is there with its values, and follows its record from then on", async () => {
    const asked = await createIn(admin, lead.id, integrationId);
    expect([asked.statusCode, asked.json()]).toMatchObject([201, { state: "waiting", creates: true, service }]);
    const [entry] = (await app.ask("GET", "/v1/audit-log", { token: admin.token })).json().entries;
    expect(entry).toMatchObject({
      action: "lead.created-in-crm",
      userId: admin.id,
      changes: [
        { kind: "lead_writes", subjectId: lead.id, after: { integration_id: integrationId, state: "waiting" } },
      ],
    });
    await writeAll(admin);
    await expectLinked();
    const { firstName, lastName, email, phone, company } = lead;
    expect(recordsOf(lead)).toMatchObject([{ firstName, lastName, email, phone, company }]);
    expect(await syncToTheEnd(app, admin, integrationId)).toMatchObject({ created: 0 });
    sandbox().leads.change(recordsOf(lead)[0]?.id ?? "", { company: "Slate" });
    await syncToTheEnd(app, admin, integrationId);
    expect(await leadOf(admin, lead.id)).toMatchObject({ company: "Slate", phone });
    expect((await createIn(admin, lead.id, integrationId)).statusCode).toBe(422);
  });

  test.each([
    ["the answer to its creation is lost", { loseAnswer: true, after: 1 }],
    ["the CRM fails before it creates it", { status: 500, after: 1 }],
    ["the CRM fails right after it has created it", { status: 500, after: 2 }],
  ])("is there once if %s", async (_, fault) => {
    await createIn(admin, lead.id, integrationId);
    failNext(fault);
    await writeAll(admin);
    expect(await writingOf(admin, lead.id)).toMatchObject({ state: "waiting", problem: expect.any(String) });
    await makeDue(admin);
    await writeAll(admin);
    await expectLinked();
  });

  test("is there once if it was converted after the answer to its creation was lost", async (context) => {
    const { convert } = sandbox().leads;
    if (convert === undefined) return context.skip("it has contacts alone");
    await createIn(admin, lead.id, integrationId);
    failNext({ loseAnswer: true, after: 1 });
    await writeAll(admin);
    convert(recordsOf(lead)[0]?.id ?? "");
    await makeDue(admin);
    await writeAll(admin);
    await expectLinked();
    expect(await leadOf(admin, lead.id)).toMatchObject({ status: "Qualified" });
  });

  test("is one lead if a sync brings its record first, with what was added to it meanwhile", async () => {
    await createIn(admin, lead.id, integrationId);
    failNext({ loseAnswer: true, after: 1 });
    await writeAll(admin);
    expect(await syncToTheEnd(app, admin, integrationId)).toMatchObject({ created: 1 });
    const found: Lead[] = (await app.ask("GET", `/v1/leads?search=${lead.email}`, { token: admin.token })).json();
    const twin = found.find(({ id }) => id !== lead.id);
    const note = { id: crypto.randomUUID(), text: "Asks for a quote" };
    await app.ask("POST", `/v1/leads/${twin?.id}/notes`, { token: admin.token, body: note });
    await makeDue(admin);
    await writeAll(admin);
    await expectLinked();
    const notes = await app.ask("GET", `/v1/leads/${lead.id}/notes`, { token: admin.token });
    expect(notes.json()).toMatchObject([{ text: "Asks for a quote" }]);
    expect((await app.ask("GET", `/v1/leads/${twin?.id}`, { token: admin.token })).statusCode).toBe(404);
  });

  test("keeps an edit that was made while its creation was under way", async () => {
    await createIn(admin, lead.id, integrationId);
    failNext({ loseAnswer: true, after: 1 });
    await writeAll(admin);
    await edit(admin, lead.id, { company: "Granite", status: "Working" });
    await makeDue(admin);
    await writeAll(admin);
    await expectLinked();
    expect(await leadOf(admin, lead.id)).toMatchObject({ company: "Granite", status: "Working" });
    expect(recordsOf(lead)).toMatchObject([{ company: "Granite" }]);
  });

  test("is there once if its email is corrected after the answer to its creation was lost", async () => {
    await createIn(admin, lead.id, integrationId);
    failNext({ loseAnswer: true, after: 1 });
    await writeAll(admin);
    const [created, ...others] = recordsOf(lead);
    expect(others).toEqual([]);
    lead = { ...lead, email: `corrected-${lead.email}` };
    await edit(admin, lead.id, { email: lead.email });
    const before = sandbox().leadCount();
    await makeDue(admin);
    await writeAll(admin);
    expect(sandbox().leadCount()).toBe(before);
    await expectLinked();
    expect(recordsOf(lead)).toMatchObject([{ id: created?.id }]);
  });

  test("has the calls that were made before and while it waited, each logged once", async () => {
    // The CRM has the leads of the other tests, with their number.
    lead = await add(admin, { phone: "+12025550188" });
    const before = await calls.endCall(admin, lead.phone, { leadId: lead.id });
    await createIn(admin, lead.id, integrationId);
    const made = [
      before,
      await calls.endCall(admin, lead.phone, { leadId: lead.id }),
      await calls.endCall(admin, lead.phone),
      await calls.endCall(admin, lead.phone, { during: () => writeAll(admin) }),
    ];
    await calls.writeAll(admin);
    const there = sandbox()
      .writtenCalls()
      .filter(({ leadExternalId }) => leadExternalId === recordsOf(lead)[0]?.id);
    expect(there.map(({ callSid }) => callSid).toSorted()).toEqual(made.toSorted());
  });

  test("isn't created any more once the lead has been deleted", async () => {
    await createIn(admin, lead.id, integrationId);
    expect((await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: admin.token })).statusCode).toBe(204);
    await writeAll(admin);
    expect(recordsOf(lead)).toEqual([]);
  });

  const erase = () =>
    app.ask("POST", `/v1/leads/${lead.id}/erase`, {
      token: admin.token,
      body: { currentPassword: admin.password },
    });
  const purge = () => purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
  async function expectNotBack(): Promise<void> {
    const [record] = recordsOf(lead);
    expect(record).toBeDefined();
    sandbox().leads.rename(record?.id ?? "", "Still there");
    await syncToTheEnd(app, admin, integrationId);
    expect(await countWith(admin, record?.id ?? "")).toBe(0);
    const found = await app.ask("GET", `/v1/leads?search=${lead.email}`, { token: admin.token });
    expect(found.json()).toEqual([]);
  }

  test("can't be erased while the answer to its creation is missing, and doesn't come back once it is erased", async () => {
    await createIn(admin, lead.id, integrationId);
    failNext({ loseAnswer: true, after: 1 });
    await writeAll(admin);
    expect((await erase()).json()).toMatchObject({
      type: "/api/docs#lead-in-use",
      detail: expect.stringMatching(/^This lead is being created in “.*”\. Try again in a few minutes\.$/),
    });
    await calls.changeRows(admin, sql`update integrations set problem = 'Gone' where id = ${integrationId}`);
    expect((await erase()).json().detail).toMatch(/Connect that again or remove it, then erase the lead\.$/);
    await calls.changeRows(admin, sql`update integrations set problem = null where id = ${integrationId}`);
    await makeDue(admin);
    await writeAll(admin);
    expect((await erase()).statusCode).toBe(204);
    await expectNotBack();
  });

  test.each([
    ["had created it", { loseAnswer: true, after: 1 }, 1],
    ["had not created it", { status: 500, after: 1 }, 0],
  ])("is deleted for good only after the CRM has said that it %s", async (_, fault, count) => {
    await createIn(admin, lead.id, integrationId);
    failNext(fault);
    await writeAll(admin);
    expect((await app.ask("DELETE", `/v1/leads/${lead.id}`, { token: admin.token })).statusCode).toBe(204);
    await purge();
    expect(await isStored(lead.id)).toBe(true);
    await makeDue(admin);
    await writeAll(admin);
    await purge();
    expect(await isStored(lead.id)).toBe(false);
    expect(recordsOf(lead)).toHaveLength(count);
    if (count > 0) await expectNotBack();
  });

  test("doesn't come back with a sync if it is deleted for good while the CRM creates it", async () => {
    await createIn(admin, lead.id, integrationId);
    const deps = hands.openDeps();
    const find: typeof deps.crms.find = (id) => {
      const found = deps.crms.find(id);
      if (found === null) return null;
      const { leads } = found.crm;
      const create: typeof leads.create = async (...given) => {
        const externalId = await leads.create(...given);
        await calls.changeRows(admin, sql`delete from leads where id = ${lead.id}`);
        return externalId;
      };
      return { ...found, crm: { ...found.crm, leads: { ...leads, create } } };
    };
    await writeAll(admin, { ...deps, crms: { ...deps.crms, find } });
    expect(recordsOf(lead)).toHaveLength(1);
    await expectNotBack();
  });

  test("is refused in plain words, and created once it is corrected", async () => {
    const wrong = await add(admin, { email: "nonsense" });
    await createIn(admin, wrong.id, integrationId);
    await writeAll(admin);
    expect(await writingOf(admin, wrong.id)).toMatchObject({
      state: "failed",
      creates: true,
      problem: expect.stringMatching(/didn’t accept it: .*email/i),
    });
    lead = { ...wrong, email: `${wrong.id}@stone.example` };
    await edit(admin, wrong.id, { email: lead.email });
    await writeAll(admin);
    await expectLinked();
  });

  test("needs a connected integration of its own organisation", async () => {
    const stranger = await newAdmin(app);
    expect((await createIn(stranger, lead.id, integrationId)).statusCode).toBe(404);
    const own = await add(stranger);
    expect((await createIn(stranger, own.id, integrationId)).statusCode).toBe(404);
    expect((await createIn(admin, own.id, integrationId)).statusCode).toBe(404);
  });

  test("is out of a stranger's reach", async () => {
    const { token } = await newAdmin(app);
    const body = { integrationId };
    const refused = [
      await app.ask("GET", `/v1/leads/${lead.id}/crm-record`, { token }),
      await app.ask("POST", `/v1/leads/${lead.id}/crm-record`, { token, body }),
      await app.ask("POST", `/v1/leads/${lead.id}/crm-record/retry`, { token }),
      await app.ask("PUT", `/v1/integrations/${integrationId}/sending`, { token, body: { sendsChanges: true } }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  });
});
