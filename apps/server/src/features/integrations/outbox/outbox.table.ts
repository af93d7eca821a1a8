import { type Generated, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

/** The queues of what is written to CRMs, with the column that identifies their rows. */
const keys = { call_activities: "call_sid", lead_writes: "lead_id" } as const;
export type OutboxTable = keyof typeof keys;

/** What the rows of each queue have in common. */
export interface OutboxColumns {
  organisation_id: string;
  version: Generated<number>;
  problem: string | null;
  tries: Generated<number>;
  due_at: Generated<string>;
  /** Of the worker that took it last. */
  lease: string | null;
  created_at: Generated<string>;
}

/** A row leased to this worker. */
export interface DueWrite {
  key: string;
  organisationId: string;
  integrationId: string;
  version: number;
  /** Including this one. */
  tries: number;
  lease: string;
}

export interface Whose {
  organisationId?: string | undefined;
  integrationId?: string | undefined;
}

const isOpen = sql<boolean>`integrations.status = 'active' and integrations.problem is null
  and coalesce(integrations.paused_until, '-infinity') <= clock_timestamp()`;
const isDue = sql<boolean>`due.state = 'waiting' and due.due_at <= clock_timestamp()`;
const inMs = (ms: number) => sql<string>`clock_timestamp() + ${Math.round(ms)} * interval '1 millisecond'`;
const ofOrganisation = (organisationId: string | undefined) =>
  organisationId === undefined ? sql`` : sql`and due.organisation_id = ${organisationId}`;

/** Connected integrations with due rows that aren't paused, up to `most`, without those in `except`. */
export async function selectIntegrationsWithDueWrites(
  tx: Tx,
  table: OutboxTable,
  { most, except, organisationId }: Pick<Whose, "organisationId"> & { most: number; except: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from integrations
    where ${isOpen} and id <> all(${except}::uuid[]) and exists (
      select from ${sql.table(table)} as due
      where due.integration_id = integrations.id and ${isDue} ${ofOrganisation(organisationId)})
    limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The rows due longest, of connected integrations: all of them, an organisation's, or one. */
export async function takeDueWrites(
  tx: Tx,
  table: OutboxTable,
  { most, leaseMs, organisationId, integrationId }: Whose & { most: number; leaseMs: number },
): Promise<DueWrite[]> {
  const key = sql.ref(keys[table]);
  const { rows } = await sql<DueWrite>`
    update ${sql.table(table)} set tries = tries + 1, due_at = ${inMs(leaseMs)}, lease = gen_random_uuid()
    where ${key} in (
      select due.${key} from ${sql.table(table)} as due
      join integrations on integrations.id = due.integration_id
      where ${isDue} and ${isOpen}
        ${ofOrganisation(organisationId)}
        ${integrationId === undefined ? sql`` : sql`and due.integration_id = ${integrationId}`}
      order by due.due_at limit ${most} for update of due skip locked)
    returning ${key} as key, organisation_id as "organisationId", integration_id as "integrationId", version, tries, lease`.execute(
    tx,
  );
  return rows;
}

/** Extends the lease. False if another worker has taken the row meanwhile. */
export async function renewLease(
  tx: Tx,
  table: OutboxTable,
  due: DueWrite,
  { leaseMs }: { leaseMs: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set due_at = ${inMs(leaseMs)} where ${isHeld(table, due)}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** A worker that was overtaken changes nothing. */
const isHeld = (table: OutboxTable, { key, lease }: DueWrite) =>
  sql<boolean>`${sql.ref(keys[table])} = ${key} and lease = ${lease}`;

/** A row that has changed since it was read is due again at once. */
export async function noteWritten(tx: Tx, table: OutboxTable, due: DueWrite): Promise<void> {
  await sql`
    update ${sql.table(table)} set problem = null, tries = 0, due_at = clock_timestamp(),
      state = case when version = ${due.version} then 'written' else 'waiting' end
    where ${isHeld(table, due)}`.execute(tx);
}

/** afterMs null: not retried automatically. */
export async function noteTrouble(
  tx: Tx,
  table: OutboxTable,
  due: DueWrite,
  { problem, afterMs }: { problem: string; afterMs: number | null },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set problem = ${problem}, due_at = ${inMs(afterMs ?? 0)},
      state = case when ${afterMs === null} and version = ${due.version} then 'failed' else state end
    where ${isHeld(table, due)}`.execute(tx);
}

/** There is nothing to write. A row that has changed since it was read stays, and is due again at once. */
export async function dropWrite(tx: Tx, table: OutboxTable, due: DueWrite): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${isHeld(table, due)} and version = ${due.version}`.execute(tx);
  if (!numAffectedRows)
    await sql`update ${sql.table(table)} set due_at = clock_timestamp() where ${isHeld(table, due)}`.execute(tx);
}

/** False if no failed row exists. */
export async function retryFailed(
  tx: Tx,
  table: OutboxTable,
  { organisationId, key }: Pick<DueWrite, "organisationId" | "key">,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set state = 'waiting', due_at = clock_timestamp()
    where organisation_id = ${organisationId} and ${sql.ref(keys[table])} = ${key} and state = 'failed'`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}
