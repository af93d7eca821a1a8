import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { suggestMapping } from "@leadline/adapter-kit/suggest-mapping";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { Pool } from "pg";
import { crms } from "../../apps/server/src/adapters.ts";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { DatabaseUnreachable } from "../../apps/server/src/db/database-unreachable.ts";
import { migrate } from "../../apps/server/src/db/migrate.ts";
import { createIntegration } from "../../apps/server/src/features/integrations/create-integration.ts";
import { finishLogin } from "../../apps/server/src/features/integrations/finish-login.ts";
import { openCrms } from "../../apps/server/src/features/integrations/open-crms.ts";
import { saveMapping } from "../../apps/server/src/features/integrations/save-mapping.ts";
import { listSources, describeSource } from "../../apps/server/src/features/integrations/list-sources.ts";
import { startLogin } from "../../apps/server/src/features/integrations/start-login.ts";
import { syncLeads } from "../../apps/server/src/features/integrations/sync-leads.ts";
import { writeDueCalls } from "../../apps/server/src/features/integrations/written-calls/write-due-calls.ts";
import type { Member } from "../../apps/server/src/http/route.ts";
import type { Log } from "../../apps/server/src/log.ts";
import { createSealer } from "../../apps/server/src/seal-secrets.ts";
import { startSandboxCrms } from "../../apps/server/src/start/start-sandbox-crms.ts";

/** How often a server checks for due calls; as in production. */
const everyMs = 1_000;
/** Shorter than in production, because the bench waits for the leases of killed servers. */
const leaseMs = 20_000;

export type TwoServers = Awaited<ReturnType<typeof openTwoServers>>;

/** An organisation with a connected, synced integration, and two servers that write its calls. */
export async function openTwoServers(given: { databaseUrl: string; service: string; log: Log }) {
  const { databaseUrl, service, log } = given;
  await migrate(databaseUrl);
  const database = openDatabase(databaseUrl, log);
  const sandboxes = await startSandboxCrms({ dataDir: null, publicUrl: null });
  const sandbox: SandboxCrm | undefined = sandboxes.get(service);
  if (sandbox === undefined) throw new Error(`there is no sandbox of ${service}`);
  const key = randomBytes(32);
  const sealer = createSealer(() => key, "crm-grants");
  const openServer = () => {
    const opened = openCrms(
      crms.map(({ module }) => module),
      { environment: {}, sandboxes },
    );
    return { database, crms: opened, sealer, log };
  };
  const servers = [openServer(), openServer()];
  const [first = openServer()] = servers;
  const caller = await addMember(databaseUrl);
  const organisationId = caller.organisation.id;

  const { id } = await createIntegration(first, caller, { service, label: "Bench", workspaceDomain: sandbox.domain });
  const { url } = await startLogin(first, caller, { service, integrationId: id, origin: "http://localhost" });
  const back = answerConsent(sandbox, url, "allow").searchParams;
  await finishLogin(first, caller, { service, code: back.get("code") ?? "", state: back.get("state") ?? "" });
  const source = (await listSources(first, caller, id)).find(({ name }) => name === "Leads");
  if (source !== undefined) {
    const { fields } = await describeSource(first, caller, { integrationId: id, source: source.id });
    await saveMapping(first, caller, id, {
      source: source.id,
      fields: suggestMapping(fields),
      custom: [],
      statuses: {},
    });
  }
  const phoneNumber = await syncOnce();

  const writtenAtMs = new Map<string, number>();
  let killsRecord = false;
  const publishCall = async (_: unknown, callSid: string): Promise<void> => {
    if (killsRecord) {
      killsRecord = false;
      // What a server that dies here leaves behind: the CRM has the call, but the database doesn't know.
      throw new DatabaseUnreachable({ cause: null });
    }
    if (!writtenAtMs.has(callSid)) writtenAtMs.set(callSid, performance.now());
  };
  const closed = new AbortController();
  let writing: Promise<void>[] = [];
  const write = async (server: (typeof servers)[number]): Promise<void> => {
    const deps = { ...server, publicUrl: null, publishCall };
    while (!closed.signal.aborted) {
      const written = await writeDueCalls(deps, { leaseMs }).catch(() => 0);
      if (written === 0) await sleep(everyMs);
    }
  };

  /** Returns a number that only one lead has. */
  async function syncOnce(): Promise<string> {
    const runId = randomUUID();
    const pool = new Pool({ connectionString: databaseUrl, max: 1 });
    try {
      await pool.query("select set_config('app.scope', 'system', false)");
      await pool.query("insert into sync_runs (id, organisation_id, integration_id) values ($1, $2, $3)", [
        runId,
        organisationId,
        id,
      ]);
      await syncLeads(first, { runId, organisationId, sliceMs: 60_000 });
      const { rows } = await pool.query<{ phone_number: string }>(
        "select phone_number from leads where phone_number is not null group by 1 having count(*) = 1 limit 1",
      );
      return rows[0]?.phone_number ?? "";
    } finally {
      await pool.end();
    }
  }

  return {
    organisationId,
    userId: caller.userId,
    phoneNumber,
    sandbox,
    writtenAtMs,
    writtenCalls: sandbox.writtenCalls,
    startWriting: (): void => void (writing = servers.map(write)),
    killNextRecord: (): void => void (killsRecord = true),
    /**
     * Waits until this many calls are recorded as written, and, if that is all of them, nothing is waiting to be
     * rewritten.
     */
    async retryWrite(calls: number): Promise<void> {
      for (;;) {
        const { written, waiting } = await countActivities(databaseUrl);
        if (written >= calls || (written + waiting >= calls && waiting === 0)) return;
        await sleep(500);
      }
    },
    async close(): Promise<void> {
      closed.abort();
      await Promise.all(writing);
      for (const server of servers) server.crms.close();
      for (const each of sandboxes.values()) await each.close();
      await database.close();
    },
  };
}

async function countActivities(databaseUrl: string): Promise<{ written: number; waiting: number }> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await pool.query("select set_config('app.scope', 'system', false)");
    const { rows } = await pool.query<{ written: number; waiting: number }>(
      `select count(*) filter (where state = 'written')::int as written,
        count(*) filter (where state <> 'written')::int as waiting from call_activities`,
    );
    return rows[0] ?? { written: 0, waiting: 0 };
  } finally {
    await pool.end();
  }
}

async function addMember(databaseUrl: string): Promise<Member> {
  const [userId, organisationId] = [randomUUID(), randomUUID()];
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  try {
    await pool.query("select set_config('app.scope', 'system', false)");
    await pool.query("insert into organisations (id, name) values ($1, 'Bench')", [organisationId]);
    await pool.query("insert into users (id, first_name, last_name, email) values ($1, 'Robin', 'Bench', $2)", [
      userId,
      `${userId}@example.com`,
    ]);
    await pool.query("insert into memberships (organisation_id, user_id, role) values ($1, $2, 'owner')", [
      organisationId,
      userId,
    ]);
  } finally {
    await pool.end();
  }
  return { userId, sessionId: randomUUID(), organisation: { id: organisationId, role: "owner" } };
}
