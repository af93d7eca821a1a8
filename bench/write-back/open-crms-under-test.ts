import { randomBytes, randomUUID } from "node:crypto";
import { suggestMapping } from "@leadline/adapter-kit/suggest-mapping";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { type Client, Pool } from "pg";
import { crms } from "../../apps/server/src/adapters.ts";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { migrate } from "../../apps/server/src/db/migrate.ts";
import { createIntegration } from "../../apps/server/src/features/integrations/create-integration.ts";
import { finishLogin } from "../../apps/server/src/features/integrations/connect/finish-login.ts";
import type { ReportDeps } from "../../apps/server/src/features/integrations/webhooks/subscribe-to-changes.ts";
import { webhookJobs } from "../../apps/server/src/features/integrations/webhooks/webhook-jobs.ts";
import { createWebhookKeys } from "../../apps/server/src/features/integrations/webhooks/webhook-keys.ts";
import { listIntegrations } from "../../apps/server/src/features/integrations/list-integrations.ts";
import { describeSource, listSources } from "../../apps/server/src/features/integrations/mapping/list-sources.ts";
import { openCrms } from "../../apps/server/src/features/integrations/open-crms.ts";
import { saveMapping } from "../../apps/server/src/features/integrations/mapping/save-mapping.ts";
import { startLogin } from "../../apps/server/src/features/integrations/connect/start-login.ts";
import { syncLeads } from "../../apps/server/src/features/integrations/sync/sync-leads.ts";
import type { Member } from "../../apps/server/src/http/route.ts";
import type { Log } from "../../apps/server/src/log.ts";
import { createSealer } from "../../apps/server/src/seal-secrets.ts";
import { startSandboxCrms } from "../../apps/server/src/start/start-sandbox-crms.ts";
import type { WriterOrder } from "./writers.ts";

/** A CRM with an organisation that is connected to it and has its leads. */
export interface CrmUnderTest {
  service: string;
  sandbox: SandboxCrm;
  organisationId: string;
  userId: string;
  /** Numbers that only one lead has each. */
  phoneNumbers: string[];
  /** Like a person who has read that access has ended. Returns whether it had. */
  reconnect(): Promise<boolean>;
}

/** Each CRM's sandbox with an organisation of its own, in one database, and what a writer needs to know of them. */
export async function openCrmsUnderTest({ databaseUrl, owner, log }: { databaseUrl: string; owner: Client; log: Log }) {
  await migrate(databaseUrl);
  const database = openDatabase(databaseUrl, log);
  const sandboxes = await startSandboxCrms({ dataDir: null, publicUrl: null, isUnlimited: true });
  const modules = crms.map(({ module }) => module);
  const opened = openCrms(modules, { environment: {}, sandboxes });
  const key = randomBytes(32);
  const webhookKeys = createWebhookKeys(() => key);
  const deps = {
    database,
    crms: opened,
    sealer: createSealer(() => key, "crm-grants"),
    log,
    webhookKeys,
    publicUrl: null,
  };
  const tested: CrmUnderTest[] = [];
  for (const [service, sandbox] of sandboxes)
    tested.push(await connect(deps, { databaseUrl, owner, service, sandbox }));
  const described = [...sandboxes].map(([service, { domain, browserPath, clientId, clientSecret, address }]) => {
    return { service, domain, browserPath, clientId, clientSecret, address: address.href };
  });
  return {
    tested,
    order: { databaseUrl, key: key.toString("hex"), sandboxes: described } satisfies WriterOrder,
    async close(): Promise<void> {
      opened.close();
      for (const sandbox of sandboxes.values()) await sandbox.close();
      await database.close();
    },
  };
}

interface Connect {
  databaseUrl: string;
  owner: Client;
  service: string;
  sandbox: SandboxCrm;
}

async function connect(deps: ReportDeps, { databaseUrl, owner, service, sandbox }: Connect): Promise<CrmUnderTest> {
  const caller = await addMember(databaseUrl);
  const { id: organisationId } = caller.organisation;
  const workspaceDomain = sandbox.domain;
  const { id } = await createIntegration(deps, caller, { service, label: "Bench", workspaceDomain });
  const allow = async (): Promise<void> => {
    const { url } = await startLogin(deps, caller, { service, integrationId: id, origin: "http://localhost" });
    const back = answerConsent(sandbox, url, "allow").searchParams;
    const jobs = { enqueue: async () => {} };
    const login = { ...deps, jobs, webhookJobs: webhookJobs(deps, {}) };
    await finishLogin(login, caller, { service, code: back.get("code") ?? "", state: back.get("state") ?? "" });
  };
  await allow();
  const source = (await listSources(deps, caller, id)).find(({ name }) => name === "Leads");
  if (source !== undefined) {
    const { fields } = await describeSource(deps, caller, { integrationId: id, source: source.id });
    const mapping = { source: source.id, fields: suggestMapping(fields), custom: [], statuses: {} };
    await saveMapping(deps, caller, id, mapping);
  }
  const runId = randomUUID();
  await inSystem(databaseUrl, (pool) =>
    pool.query("insert into sync_runs (id, organisation_id, integration_id) values ($1, $2, $3)", [
      runId,
      organisationId,
      id,
    ]),
  );
  await syncLeads(deps, { runId, organisationId, sliceMs: 60_000 });
  const { rows } = await inSystem(databaseUrl, (pool) =>
    pool.query<{ phone_number: string }>(
      `select phone_number from leads where organisation_id = $1 and phone_number is not null
       group by 1 having count(*) = 1`,
      [organisationId],
    ),
  );
  return {
    service,
    sandbox,
    organisationId,
    userId: caller.userId,
    phoneNumbers: rows.map((row) => row.phone_number),
    async reconnect() {
      const [integration] = await listIntegrations(deps, caller);
      if (integration?.problem == null) return false;
      // A person may only connect so often.
      await owner.query("delete from sign_in_attempts");
      await allow();
      return true;
    },
  };
}

async function inSystem<T>(databaseUrl: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await pool.query("select set_config('app.scope', 'system', false)");
    return await work(pool);
  } finally {
    await pool.end();
  }
}

async function addMember(databaseUrl: string): Promise<Member> {
  const [userId, organisationId] = [randomUUID(), randomUUID()];
  const name = `${userId}@example.com`;
  await inSystem(databaseUrl, async (pool) => {
    await pool.query("insert into organisations (id, name) values ($1, 'Bench')", [organisationId]);
    await pool.query("insert into users (id, first_name, last_name, email) values ($1, 'Robin', 'Bench', $2)", [
      userId,
      name,
    ]);
    await pool.query("insert into memberships (organisation_id, user_id, role) values ($1, $2, 'owner')", [
      organisationId,
      userId,
    ]);
  });
  return { userId, sessionId: randomUUID(), organisation: { id: organisationId, role: "owner" } };
}
