import type { CrmSource } from "@leadline/contract/crm-mapping";
import { type Integration, specifiedCrm, type SyncRun } from "@leadline/contract/integrations";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { expect, vi } from "vitest";
import { makeOrganisation, registerPerson, type TestApp, type TestPerson } from "./test-app.ts";

export interface Admin extends TestPerson {
  organisationId: string;
}

/** The owner of a new organisation. */
export async function newAdmin(app: TestApp): Promise<Admin> {
  const person = await registerPerson(app);
  const { id } = await makeOrganisation(app, person);
  return { ...person, organisationId: id };
}

function expectStatus(answer: { statusCode: number; body: string }, status: number): void {
  expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status });
}

export async function addIntegration(app: TestApp, by: TestPerson, service: string = specifiedCrm): Promise<string> {
  const body = { service, label: "Harbour CRM", workspaceDomain: app.crm.sandboxOf(service).domain };
  const made = await app.ask("POST", "/v1/integrations", { token: by.token, body });
  expectStatus(made, 201);
  return made.json().id;
}

/** Goes through the consent page; resolves to the CRM's callback request. */
export async function askForAccess(
  app: TestApp,
  by: TestPerson,
  integrationId: string,
  service: string = specifiedCrm,
): Promise<{ code: string; integrationId: string }> {
  const login = await app.ask("POST", `/v1/integrations/${service}/login/${integrationId}`, { token: by.token });
  expectStatus(login, 200);
  const back = answerConsent(app.crm.sandboxOf(service), login.json().url, "allow").searchParams;
  return { code: back.get("code") ?? "", integrationId: back.get("state") ?? "" };
}

/** Created and connected. */
export async function connectIntegration(
  app: TestApp,
  by: TestPerson,
  service: string = specifiedCrm,
): Promise<string> {
  const id = await addIntegration(app, by, service);
  await giveAccess(app, by, id, service);
  return id;
}

/** Also reconnects after access was revoked. */
export async function giveAccess(
  app: TestApp,
  by: TestPerson,
  id: string,
  service: string = specifiedCrm,
): Promise<void> {
  const body = await askForAccess(app, by, id, service);
  const connected = await app.ask("POST", `/v1/integrations/${service}/callback`, { token: by.token, body });
  expectStatus(connected, 200);
}

/** Maps the source named Leads with the suggested fields, if the CRM has sources. */
export async function chooseSuggestedSource(app: TestApp, by: TestPerson, id: string): Promise<void> {
  const path = `/v1/integrations/${id}` as const;
  const sources: CrmSource[] = (await app.ask("GET", `${path}/sources`, { token: by.token })).json();
  const leads = sources.find(({ name }) => name === "Leads");
  if (leads === undefined) return;
  const { suggested } = (await app.ask("GET", `${path}/sources/${leads.id}`, { token: by.token })).json();
  const body = { source: leads.id, fields: suggested };
  expectStatus(await app.ask("PUT", `${path}/mapping`, { token: by.token, body }), 200);
}

export async function startSync(app: TestApp, by: TestPerson, id: string): Promise<SyncRun> {
  const started = await app.ask("POST", `/v1/integrations/${id}/sync`, { token: by.token });
  expectStatus(started, 201);
  return started.json();
}

export async function readIntegration(app: TestApp, by: TestPerson, id: string): Promise<Integration> {
  const list: Integration[] = (await app.ask("GET", "/v1/integrations", { token: by.token })).json();
  const found = list.find((integration) => integration.id === id);
  if (found === undefined) throw new Error("there is no such integration");
  return found;
}

/** The newest run, once it matches. */
export function waitForRun(
  app: TestApp,
  which: { by: TestPerson; id: string; until: (run: SyncRun) => boolean; timeoutMs?: number },
): Promise<SyncRun> {
  return vi.waitFor(
    async () => {
      const { lastSync } = await readIntegration(app, which.by, which.id);
      if (lastSync === null || !which.until(lastSync)) throw new Error(`the run is ${JSON.stringify(lastSync)}`);
      return lastSync;
    },
    { timeout: which.timeoutMs ?? 15_000, interval: 30 },
  );
}

export async function syncToTheEnd(app: TestApp, by: TestPerson, id: string): Promise<SyncRun> {
  const { id: runId } = await startSync(app, by, id);
  return waitForRun(app, { by, id, until: (run) => run.id === runId && run.endedAt !== null });
}

export interface SyncedLead {
  external_id: string | null;
  integration_id: string | null;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  status: string;
}

export function leadsOf(app: TestApp, { organisationId }: Admin): Promise<SyncedLead[]> {
  return app.database.withTransaction({ organisationId }, (tx) =>
    tx
      .selectFrom("leads")
      .select(["external_id", "integration_id", "first_name", "last_name", "phone_number", "status"])
      .where("organisation_id", "=", organisationId)
      .orderBy("position")
      .execute(),
  );
}
