import type { Tx } from "../../db/transaction.ts";
import type { RequestPauseColumns } from "./sync/request-pauses.table.ts";
import { newestRunOfEach } from "./sync/sync-runs.table.ts";
import { CrmMapping } from "@leadline/contract/crm-mapping";
import { type Integration, RequestLimit } from "@leadline/contract/integrations";
import { type Generated, type JSONColumnType, sql } from "kysely";

export interface IntegrationTable extends RequestPauseColumns {
  id: string;
  organisation_id: string;
  label: string;
  service: string;
  /** Which of the CRM's workspaces, as its adapter reads it. */
  workspace_domain: string | null;
  status: Generated<Integration["status"]>;
  /** Why it must be reconnected. */
  problem: string | null;
  /** When mails to the owners about the problem were ordered. */
  problem_mailed_at: string | null;
  /** The CRM customer that the cursor belongs to. */
  account_id: string | null;
  sync_cursor: string | null;
  /** Null until one is saved. */
  mapping: JSONColumnType<CrmMapping> | null;
  /** As the CRM reported it with the last page. Null if it doesn't. */
  request_limit: JSONColumnType<RequestLimit> | null;
  /** The team's changes of leads are written to the CRM. */
  sends_changes: Generated<boolean>;
  /** When the last full comparison completed. */
  compared_at: Generated<string>;
  created_at: Generated<string>;
}

/** An integration's fields that its verbs need. */
export interface StoredIntegration {
  id: string;
  organisationId: string;
  label: string;
  service: string;
  workspace: string | null;
  status: Integration["status"];
  problem: string | null;
  /** The account at the CRM that it is connected to. */
  accountId: string | null;
  mapping: CrmMapping | null;
  sendsChanges: boolean;
}

interface Key {
  organisationId: string;
  integrationId: string;
}

const columns = [
  "id",
  "organisation_id",
  "label",
  "service",
  "workspace_domain",
  "status",
  "problem",
  "account_id",
  "mapping",
  "sends_changes",
] as const;
type Row = Pick<
  IntegrationTable,
  "id" | "organisation_id" | "label" | "service" | "workspace_domain" | "problem" | "account_id"
> & {
  status: Integration["status"];
  mapping: CrmMapping | null;
  sends_changes: boolean;
};

const toStored = (row: Row): StoredIntegration => ({
  id: row.id,
  organisationId: row.organisation_id,
  label: row.label,
  service: row.service,
  workspace: row.workspace_domain,
  status: row.status,
  problem: row.problem,
  accountId: row.account_id,
  // A mapping saved by an earlier version lacks newer fields.
  mapping: row.mapping === null ? null : CrmMapping.parse(row.mapping),
  sendsChanges: row.sends_changes,
});

/** In the order in which they were added, each with its newest run. */
export async function selectIntegrations(tx: Tx, organisationId: string, id?: string): Promise<Integration[]> {
  const rows = await tx
    .selectFrom("integrations")
    .select([...columns, "request_limit"])
    .where("organisation_id", "=", organisationId)
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const runs = await newestRunOfEach(tx, organisationId);
  return rows.map((row) => {
    const { organisationId: _, accountId: __, workspace: workspaceDomain, mapping, ...integration } = toStored(row);
    const mapped = mapping === null ? {} : { mapping };
    const limited = row.request_limit === null ? {} : { requestLimit: RequestLimit.parse(row.request_limit) };
    return { ...integration, workspaceDomain, ...mapped, lastSync: runs.get(row.id) ?? null, ...limited };
  });
}

export async function selectConnected(tx: Tx, organisationId: string): Promise<StoredIntegration[]> {
  const rows = await tx
    .selectFrom("integrations")
    .select(columns)
    .where("organisation_id", "=", organisationId)
    .where("status", "=", "active")
    .execute();
  return rows.map(toStored);
}

/**
 * `lock` keeps others from changing it until the transaction ends. An edit of a lead, which holds the lead's row, may
 * still queue a write that refers to the integration: with FOR UPDATE, the two would deadlock.
 */
export async function findIntegration(
  tx: Tx,
  key: Key,
  options: { lock: boolean } = { lock: false },
): Promise<StoredIntegration | null> {
  const row = await tx
    .selectFrom("integrations")
    .select(columns)
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .$if(options.lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return row ? toStored(row) : null;
}

/** Locks adding integrations to the organisation, so that they can be counted. */
export async function lockIntegrations(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('integrations:' || ${organisationId}, 0))`.execute(tx);
}

export async function insertIntegration(
  tx: Tx,
  integration: Pick<StoredIntegration, "id" | "organisationId" | "label" | "service" | "workspace">,
): Promise<void> {
  const { id, organisationId, label, service, workspace } = integration;
  await tx
    .insertInto("integrations")
    .values({ id, organisation_id: organisationId, label, service, workspace_domain: workspace })
    .execute();
}

/** False if there is none. */
export async function updateLabel(tx: Tx, key: Key, label: string): Promise<boolean> {
  const updated = await tx
    .updateTable("integrations")
    .set({ label })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function deleteIntegration(tx: Tx, key: Key): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("integrations")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** The organisation's other integration with this account and source, or null. Locks connecting it in this transaction. */
export async function findConnectionOf(
  tx: Tx,
  { id, organisationId, service }: StoredIntegration,
  { accountId, source }: { accountId: string; source: string | null },
): Promise<{ label: string } | null> {
  const name = `crm-account:${organisationId}:${service}:${accountId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  const row = await tx
    .selectFrom("integrations")
    .select("label")
    .where("organisation_id", "=", organisationId)
    .where("service", "=", service)
    .where("account_id", "=", accountId)
    .where("status", "=", "active")
    .where("id", "<>", id)
    .$if(source !== null, (query) => query.where(sql<string>`mapping ->> 'source'`, "=", source ?? ""))
    .executeTakeFirst();
  return row ?? null;
}

/** False if either account is unknown. */
export async function hasOtherAccount(tx: Tx, key: Key, accountId: string | null): Promise<boolean> {
  const row = await tx
    .selectFrom("integrations")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .where("account_id", "<>", accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Activates it. For a different account, resets cursor and mapping, which belong to the old one. */
export async function markConnected(tx: Tx, key: Key, accountId: string | null): Promise<boolean> {
  const updated = await tx
    .updateTable("integrations")
    .set({
      status: "active",
      problem: null,
      problem_mailed_at: null,
      request_limit: null,
      account_id: accountId,
      sync_cursor: sql<
        string | null
      >`case when account_id is distinct from ${accountId} then null else sync_cursor end`,
      mapping: sql<string | null>`case when account_id is distinct from ${accountId} then null else mapping end`,
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function markDisconnected(tx: Tx, key: Key): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ status: "inactive", problem: null, problem_mailed_at: null })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

/** The next sync starts from the beginning. */
export async function updateMapping(tx: Tx, key: Key, mapping: CrmMapping): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ mapping: JSON.stringify(mapping), sync_cursor: null })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

export async function updateSendsChanges(tx: Tx, key: Key, sendsChanges: boolean): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ sends_changes: sendsChanges })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    .execute();
}

export async function setConnectionProblem(tx: Tx, key: Key, problem: string): Promise<void> {
  await tx
    .updateTable("integrations")
    .set({ problem })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.integrationId)
    // A sync may still notice that somebody has disconnected it.
    .where("status", "=", "active")
    .execute();
}

const now = sql<string>`clock_timestamp()`;

/** Of the organisation, or of one integration. Workers in progress store no further page. */
export async function endRuns(
  tx: Tx,
  { organisationId, integrationId }: Pick<Key, "organisationId"> & Partial<Key>,
  problem: string,
): Promise<void> {
  await tx
    .updateTable("sync_runs")
    .set({ status: "failed", problem, retry_at: null, touched_at: now, ended_at: now })
    .where("organisation_id", "=", organisationId)
    .$if(integrationId !== undefined, (query) => query.where("integration_id", "=", integrationId ?? ""))
    .where("ended_at", "is", null)
    .execute();
}

/** Deletes at most `limit` runs and returns how many. */
export async function deleteSomeRuns(tx: Tx, organisationId: string, limit: number): Promise<number> {
  const some = tx
    .selectFrom("sync_runs")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .limit(limit)
    .forUpdate();
  const deleted = await tx.deleteFrom("sync_runs").where("id", "in", some).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** With their access and pending logins. */
export async function deleteIntegrations(tx: Tx, organisationId: string): Promise<void> {
  await tx.deleteFrom("integrations").where("organisation_id", "=", organisationId).execute();
}
