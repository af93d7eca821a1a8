import type { CrmSource } from "@leadline/contract/crm-mapping";
import type { Lead } from "@leadline/contract/leads";
import { describe, expect, test } from "vitest";
import { scheduledSyncs } from "../../../testing/scheduled-syncs.ts";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  chooseSuggestedSource,
  connectIntegration,
  newAdmin,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { applyChanges } from "../webhooks/apply-changes.ts";
import { insertChanges } from "../webhooks/crm-changes.table.ts";

const app = testApp();
const { letPass, schedule } = scheduledSyncs(app);
const eightDays = 8 * 24 * 60;

interface CrmLead {
  company?: string;
  jobTitle?: string;
}
/** How people change a lead in each CRM. */
const change = {
  salesforce: (id, { company: Company, jobTitle: Title }) => {
    return { method: "PATCH", path: `/services/data/v62.0/sobjects/Lead/${id}`, body: { Company, Title } };
  },
  hubspot: (id, { company, jobTitle: jobtitle }) => {
    return { method: "PATCH", path: `/crm/v3/objects/contacts/${id}`, body: { properties: { company, jobtitle } } };
  },
  podio: (id, { company, jobTitle }) => {
    const fields = { ...(company && { company }), ...(jobTitle && { "job-title": jobTitle }) };
    return { method: "PUT", path: `/item/${id}`, body: { fields } };
  },
} satisfies Record<string, (externalId: string, lead: CrmLead) => { method: string; path: string; body: object }>;

async function synced(service: keyof typeof change) {
  const by = await newAdmin(app);
  const id = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, id);
  await syncToTheEnd(app, by, id);
  const [lead]: Lead[] = (await app.ask("GET", "/v1/leads?limit=1", { token: by.token })).json();
  const leadId = lead?.id ?? "";
  const { external_id: externalId } = await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
    tx.selectFrom("leads").select("external_id").where("id", "=", leadId).executeTakeFirstOrThrow(),
  );
  return {
    by,
    id,
    lead,
    leadId,
    externalId: externalId ?? "",
    edit: (body: object) => app.ask("PUT", `/v1/leads/${leadId}`, { token: by.token, body }),
    inCrm: (fields: CrmLead) => app.crm.sandboxOf(service).ask(change[service](externalId ?? "", fields)),
    now: (): Promise<Lead> => readLead(by, leadId),
  };
}
const readLead = async ({ token }: Admin, leadId: string): Promise<Lead> =>
  (await app.ask("GET", `/v1/leads/${leadId}`, { token })).json();

describe.each(["salesforce", "hubspot", "podio"] as const)("a rep's edit of a lead from %s", (service) => {
  test("survives a sync and the weekly comparison until its value in the CRM changes", async () => {
    const { by, id, edit, inCrm, now } = await synced(service);
    await edit({ company: "Granite" });
    inCrm({ jobTitle: "Chief Mason" });
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ updated: 1 });
    expect(await now()).toMatchObject({ company: "Granite", jobTitle: "Chief Mason" });
    await letPass(by, eightDays);
    await schedule(by);
    expect(await now()).toMatchObject({ company: "Granite", jobTitle: "Chief Mason" });
    inCrm({ company: "Slate" });
    await syncToTheEnd(app, by, id);
    expect((await now()).company).toBe("Slate");
  });

  test("survives a reported change of another field", async () => {
    const { by, id, externalId, edit, inCrm, now } = await synced(service);
    const key = { organisationId: by.organisationId, integrationId: id };
    const report = async (eventId: string) => {
      await app.database.withTransaction(key, (tx) =>
        insertChanges(tx, key, [{ eventId, leadExternalId: externalId }]),
      );
      await applyChanges(app.crm.openDeps(), key);
    };
    await edit({ company: "Granite" });
    inCrm({ jobTitle: "Head Mason" });
    await report("1");
    expect(await now()).toMatchObject({ company: "Granite", jobTitle: "Head Mason" });
    inCrm({ company: "Marble" });
    await report("2");
    expect(await now()).toMatchObject({ company: "Marble" });
  });

  test("survives another mapping, which isn't a change in the CRM", async () => {
    const { by, id, lead, edit, now } = await synced(service);
    await edit({ company: "Granite" });
    const { token } = by;
    const path = `/v1/integrations/${id}` as const;
    const sources: CrmSource[] = (await app.ask("GET", `${path}/sources`, { token })).json();
    const source = sources.find(({ name }) => name === "Leads" || name === "Contacts")?.id ?? "";
    const { suggested } = (await app.ask("GET", `${path}/sources/${source}`, { token })).json();
    const save = (fields: object) => app.ask("PUT", `${path}/mapping`, { token, body: { source, fields } });
    await save({ ...suggested, company: suggested.jobTitle });
    await syncToTheEnd(app, by, id);
    expect((await now()).company).toBe("Granite");
    await save(suggested);
    await syncToTheEnd(app, by, id);
    expect((await now()).company).toBe("Granite");
    await edit({ company: lead?.company });
    await save({ ...suggested, company: suggested.jobTitle });
    await syncToTheEnd(app, by, id);
    expect(await now()).toMatchObject({ company: lead?.jobTitle });
  });
});

test("an edit of a lead survives the connection's removal and return", async () => {
  const { by, id, edit, now } = await synced("salesforce");
  await edit({ company: "Granite" });
  await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
  await edit({ jobTitle: "Sculptor" });
  const again = await connectIntegration(app, by, "salesforce");
  expect(await syncToTheEnd(app, by, again)).toMatchObject({ status: "completed", created: 0 });
  expect(await now()).toMatchObject({ company: "Granite", jobTitle: "Sculptor", integrationId: again });
});
