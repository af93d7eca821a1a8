import type { LeadTimelineEntry } from "@leadline/contract/lead-timeline";
import type { Lead } from "@leadline/contract/leads";
import type { LeadWriting } from "@leadline/contract/written-leads";
import type { SandboxLead } from "@leadline/crm-sandbox/sandbox-crm";
import { sql } from "kysely";
import { expect } from "vitest";
import type { WritingDeps } from "../features/integrations/outbox/write-due.ts";
import { writeDueLeads } from "../features/integrations/lead-write-back/write-leads.ts";
import type { TestApp } from "./test-app.ts";
import { type Admin, chooseSuggestedSource, connectIntegration, newAdmin, syncToTheEnd } from "./test-integrations.ts";

/** Leads, and how their changes reach a CRM. */
export function leadsAtCrms(app: TestApp) {
  const openDeps = (change: Partial<WritingDeps> = {}): WritingDeps => ({
    ...app.crm.openDeps(),
    publicUrl: null,
    publishCall: async () => {},
    ...change,
  });
  const within = <T>({ organisationId }: Admin, statement: ReturnType<typeof sql<T>>) =>
    app.database.withTransaction({ organisationId }, (tx) => statement.execute(tx));

  /** A new organisation with all leads of the CRM, which sends its changes there if asked to. */
  async function connect(service: Parameters<typeof connectIntegration>[2], { sends }: { sends: boolean }) {
    const by = await newAdmin(app);
    const integrationId = await connectIntegration(app, by, service);
    await chooseSuggestedSource(app, by, integrationId);
    await syncToTheEnd(app, by, integrationId);
    if (sends) await send(by, integrationId, true);
    return { by, integrationId };
  }

  async function send({ token }: Admin, integrationId: string, sendsChanges: boolean): Promise<void> {
    const path = `/v1/integrations/${integrationId}/sending` as const;
    const answer = await app.ask("PUT", path, { token, body: { sendsChanges } });
    expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status: 200, body: { sendsChanges } });
  }

  async function edit({ token }: Admin, leadId: string, body: object): Promise<void> {
    expect((await app.ask("PUT", `/v1/leads/${leadId}`, { token, body })).statusCode).toBe(200);
  }

  async function add({ token }: Admin, fields: object = {}): Promise<Lead> {
    const answer = await app.ask("POST", "/v1/leads", { token, body: { ...newLead(), ...fields } });
    expect(answer.statusCode).toBe(201);
    return answer.json();
  }

  const createIn = ({ token }: Admin, leadId: string, integrationId: string) =>
    app.ask("POST", `/v1/leads/${leadId}/crm-record`, { token, body: { integrationId } });

  const retry = ({ token }: Admin, leadId: string) =>
    app.ask("POST", `/v1/leads/${leadId}/crm-record/retry`, { token });

  async function leadOf({ token }: Admin, leadId: string): Promise<Lead> {
    return (await app.ask("GET", `/v1/leads/${leadId}`, { token })).json();
  }

  async function writingOf({ token }: Admin, leadId: string): Promise<LeadWriting | null> {
    return (await app.ask("GET", `/v1/leads/${leadId}/crm-record`, { token })).json().writing;
  }

  async function timelineOf({ token }: Admin, leadId: string): Promise<LeadTimelineEntry[]> {
    return (await app.ask("GET", `/v1/leads/${leadId}/timeline`, { token })).json();
  }

  /** The lead of the nth record of the sandbox, counted from 0. */
  async function leadAt(by: Admin, service: string, index: number): Promise<{ id: string; record: SandboxLead }> {
    const record = app.crm.sandboxOf(service).leads.list()[index];
    if (record === undefined) throw new Error("the sandbox has fewer leads");
    const { rows } = await within(
      by,
      sql<{ id: string }>`select id from leads
        where organisation_id = ${by.organisationId} and external_id = ${record.id}`,
    );
    return { id: rows[0]?.id ?? "", record };
  }

  /** How many leads here have this record. */
  async function countWith(by: Admin, externalId: string): Promise<number> {
    const { rows } = await within(
      by,
      sql<{ count: number }>`select count(*)::int as count from leads
        where organisation_id = ${by.organisationId} and external_id = ${externalId}`,
    );
    return rows[0]?.count ?? 0;
  }

  async function triesOf(by: Admin, leadId: string): Promise<number> {
    const { rows } = await within(by, sql<{ tries: number }>`select tries from lead_writes where lead_id = ${leadId}`);
    return rows[0]?.tries ?? 0;
  }

  /** Every wait is over. */
  async function makeDue(by: Admin): Promise<void> {
    const ofAdmin = sql`where organisation_id = ${by.organisationId}`;
    await within(by, sql`update lead_writes set due_at = clock_timestamp() ${ofAdmin}`);
    await within(by, sql`update integrations set paused_until = null ${ofAdmin}`);
  }

  async function writeAll({ organisationId }: Admin, deps = openDeps()): Promise<void> {
    for (let written = 1; written > 0;) written = await writeDueLeads(deps, { organisationId });
  }

  const recordOf = (service: string, externalId: string): SandboxLead | undefined =>
    app.crm
      .sandboxOf(service)
      .leads.list()
      .find(({ id }) => id === externalId);

  return {
    openDeps,
    connect,
    send,
    edit,
    add,
    createIn,
    retry,
    leadOf,
    writingOf,
    timelineOf,
    leadAt,
    countWith,
    triesOf,
    makeDue,
    writeAll,
    recordOf,
  };
}

const newLead = () => ({
  firstName: "Rosalind",
  lastName: "Quarry",
  email: `${crypto.randomUUID()}@stone.example`,
  phone: "+12025550177",
  company: "Stone & Sons",
});
