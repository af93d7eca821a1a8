import type { CrmField, CrmFieldMapping, CrmSource } from "@leadline/contract/crm-mapping";
import type { Lead } from "@leadline/contract/leads";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import {
  addIntegration,
  type Admin,
  askForAccess,
  connectIntegration,
  leadsOf,
  newAdmin,
  readIntegration,
  startSync,
  syncToTheEnd,
  waitForRun,
} from "../../../testing/test-integrations.ts";

const app = testApp();
const sandbox = () => app.crm.sandboxOf("podio");
const nothing = { fullName: null, firstName: null, lastName: null, email: null, phone: null, status: null };

async function read(by: Admin, path: string) {
  const answer = await app.ask("GET", `/v1/integrations/${path}`, { token: by.token });
  expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: 200 });
  return answer.json();
}
const save = (by: Admin, id: string, body: object) =>
  app.ask("PUT", `/v1/integrations/${id}/mapping`, { token: by.token, body });

async function findSource(by: Admin, id: string, wanted: string): Promise<string> {
  const sources: CrmSource[] = await read(by, `${id}/sources`);
  return sources.find(({ name }) => name === wanted)?.id ?? "";
}
async function suggest(by: Admin, id: string, source: string): Promise<CrmFieldMapping> {
  const described = await app.ask("GET", `/v1/integrations/${id}/sources/${source}`, { token: by.token });
  return described.json().suggested;
}

/** Connected, with its app of leads and the suggested mapping saved. */
async function mapped(by: Admin) {
  const id = await connectIntegration(app, by, "podio");
  const source = await findSource(by, id, "Leads");
  const fields = await suggest(by, id, source);
  expect((await save(by, id, { source, fields })).statusCode).toBe(200);
  return { id, source, fields };
}

describe("a CRM whose customers define their own kinds of records", () => {
  test("syncs once the source of its leads is chosen, and follows changes there", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "podio");
    const early = await app.ask("POST", `/v1/integrations/${id}/sync`, { token: by.token });
    expect(early.json()).toMatchObject({ status: 409, type: "/api/docs#source-not-chosen" });
    const source = await findSource(by, id, "Leads");
    const fields = await suggest(by, id, source);
    expect(Object.entries(fields).filter(([, field]) => field === null)).toEqual([["fullName", null]]);
    const saved = await save(by, id, { source, fields });
    expect(saved.json()).toMatchObject({ id, mapping: { source, sourceName: "Leads", fields } });

    const there = sandbox().leadCount();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", total: there, created: there });
    const change = { fields: { "last-name": "Renamed", status: 3 } };
    sandbox().ask({ method: "PUT", path: "/item/2800000020", body: change });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0, updated: 1 });
    const leads = await leadsOf(app, by);
    expect(leads.find(({ external_id }) => external_id === "2800000020")).toMatchObject({
      last_name: "Renamed",
      status: "Qualified",
    });
  });

  test("reads everything again after a mapping change", async () => {
    const by = await newAdmin(app);
    const { id, source, fields } = await mapped(by);
    await syncToTheEnd(app, by, id);
    await save(by, id, { source, fields: { ...nothing, fullName: fields.lastName } });
    const again = await syncToTheEnd(app, by, id);
    expect(again).toMatchObject({ status: "completed", read: sandbox().leadCount(), created: 0 });
    expect((await leadsOf(app, by)).every(({ first_name }) => first_name === "")).toBe(true);
    await save(by, id, { source, fields: { ...nothing, fullName: fields.lastName } });
    const unchanged = await syncToTheEnd(app, by, id);
    expect(unchanged.status).toBe("completed");
    expect(unchanged.read).toBeLessThan(sandbox().leadCount());
  });

  test("doesn't save a source or field that the CRM doesn't have, or a mapping without a name", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, "podio");
    const source = await findSource(by, id, "Leads");
    const name = { ...nothing, fullName: "210000001" };
    const refused = [
      await save(by, id, { source: "1", fields: name }),
      await save(by, id, { source: "../org", fields: name }),
      await save(by, id, { source, fields: { ...name, email: "7" } }),
      await save(by, id, { source, fields: nothing }),
    ];
    expect(refused.map((answer) => [answer.statusCode, answer.json().type])).toEqual([
      [409, "/api/docs#source-not-chosen"],
      [409, "/api/docs#source-not-chosen"],
      [409, "/api/docs#source-not-chosen"],
      [422, "/api/docs#invalid-input"],
    ]);
    const path = `/v1/integrations/${id}/sources/${encodeURIComponent("../org")}` as const;
    expect((await app.ask("GET", path, { token: by.token })).json()).toMatchObject({ status: 409 });
    expect(await readIntegration(app, by, id)).not.toHaveProperty("mapping");
  });

  test("keeps its mapping when it is reconnected", async () => {
    const by = await newAdmin(app);
    const { id, source } = await mapped(by);
    sandbox().endAllGrants();
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "failed" });
    const sources = await app.ask("GET", `/v1/integrations/${id}/sources`, { token: by.token });
    expect(sources.json()).toMatchObject({ status: 409, type: "/api/docs#integration-not-connected" });
    const body = await askForAccess(app, by, id, "podio");
    await app.ask("POST", "/v1/integrations/podio/callback", { token: by.token, body });
    expect(await readIntegration(app, by, id)).toMatchObject({ problem: null, mapping: { source } });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed" });
  });

  test("says how long it waits after too many requests", async () => {
    const by = await newAdmin(app);
    const { id } = await mapped(by);
    sandbox().faults.add({ path: /filter/, status: 420, errorCode: "1" });
    const { id: runId } = await startSync(app, by, id);
    const waiting = await waitForRun(app, { by, id, until: (run) => run.id === runId && run.retryAt !== null });
    expect(waiting.problem).toBe("Podio allows no more requests this hour.");
    await waitForRun(app, { by, id, until: (run) => run.status === "completed" });
  });
});

test("an integration that isn't connected yet can't list its sources", async () => {
  const by = await newAdmin(app);
  const id = await addIntegration(app, by, "podio");
  const answer = await app.ask("GET", `/v1/integrations/${id}/sources`, { token: by.token });
  expect(answer.json()).toMatchObject({ status: 409, type: "/api/docs#integration-not-connected" });
});

describe.each([
  [
    "salesforce",
    { source: "Lead", company: "Company", status: "Status", value: "Working - Contacted", shown: "LeadSource" },
  ],
  [
    "hubspot",
    { source: "contacts", company: "company", status: "hs_lead_status", value: "IN_PROGRESS", shown: "lifecyclestage" },
  ],
] as const)("a CRM with one kind of lead, as %s,", (service, there) => {
  const leads = async (by: Admin): Promise<Lead[]> =>
    (await app.ask("GET", "/v1/leads?limit=200&sort=oldest", { token: by.token })).json();

  test("syncs with its default mapping, and again with a saved one that has further fields and statuses", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, service);
    await syncToTheEnd(app, by, id);
    const before = await leads(by);
    expect(before.map(({ customFields }) => customFields)).toEqual(before.map(() => []));
    expect(before.map(({ status }) => status)).toContain("Working");

    const { fields, suggested }: { fields: CrmField[]; suggested: CrmFieldMapping } = await read(
      by,
      `${id}/sources/${there.source}`,
    );
    expect(suggested).toMatchObject({ company: there.company, status: there.status, fullName: null });
    const options = fields.find((field) => field.id === there.status)?.options ?? [];
    const working = options.filter(({ status }) => status === "Working");
    expect(working.map(({ value }) => value)).toContain(there.value);
    const chosen = {
      source: there.source,
      fields: { ...suggested, jobTitle: there.company },
      custom: [there.shown],
      statuses: Object.fromEntries(working.map(({ value }) => [value, "Nurturing"])),
    };
    const saved = (await save(by, id, chosen)).json();
    const name = fields.find((field) => field.id === there.shown)?.name;
    expect(saved.mapping).toMatchObject({ custom: [{ id: there.shown, name }], statuses: chosen.statuses });
    const again = await syncToTheEnd(app, by, id);
    expect(again).toMatchObject({ status: "completed", created: 0, read: app.crm.sandboxOf(service).leadCount() });
    const after = await leads(by);
    expect(after.map((lead) => lead.jobTitle)).toEqual(before.map(({ company }) => company));
    expect(after.map(({ status }) => status)).not.toContain("Working");
    const labels = fields.find((field) => field.id === there.shown)?.options?.map(({ label }) => label);
    const shown = after.flatMap(({ customFields }) => customFields);
    expect(shown.length).toBeGreaterThan(after.length / 2);
    for (const field of shown) expect(field.name === name && labels?.includes(field.value)).toBe(true);
    // Nothing has changed in the CRM.
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ created: 0, updated: 0 });
  });

  test("keeps no field that the CRM doesn't describe", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by, service);
    const { suggested } = await read(by, `${id}/sources/${there.source}`);
    const good = { source: there.source, fields: suggested };
    const refused = [
      await save(by, id, { ...good, source: "other" }),
      await save(by, id, { ...good, fields: { ...suggested, phone: "Id FROM User" } }),
      await save(by, id, { ...good, custom: ["nothing__c"] }),
    ];
    expect(refused.map((answer) => answer.json().type)).toEqual(refused.map(() => "/api/docs#source-not-chosen"));
    const tooMany = { ...good, custom: Array.from({ length: 31 }, (_, index) => `field${index}`) };
    expect((await save(by, id, tooMany)).statusCode).toBe(422);
    expect((await save(by, id, { ...good, statuses: { x: "Unheard of" } })).statusCode).toBe(422);
  });
});
