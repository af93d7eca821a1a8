import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Makes other uploads of the same organisation wait until this transaction ends. */
export async function lockImports(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('lead-imports:' || ${organisationId}, 0))`.execute(tx);
}

export async function countRunningImports(tx: Tx, organisationId: string): Promise<number> {
  const { running } = await tx
    .selectFrom("lead_imports")
    .select((query) => query.fn.countAll<number>().as("running"))
    .where("organisation_id", "=", organisationId)
    .where("state", "=", "running")
    .executeTakeFirstOrThrow();
  return Number(running);
}

/** Deletes the imports that finished longest ago, with their failed rows; returns the names of files that remained. */
export async function removeOldestFinished(tx: Tx, organisationId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string | null }>`
    delete from lead_imports where organisation_id = ${organisationId} and finished_at is not null and id in (
      select id from lead_imports where organisation_id = ${organisationId} and finished_at is not null
      order by created_at desc offset ${most})
    returning stored_name`.execute(tx);
  return rows.flatMap((row) => row.stored_name ?? []);
}

/** Deletes the oldest drafts beyond `most`, and returns the names of their files. */
export async function removeOldestDrafts(tx: Tx, organisationId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ stored_name: string }>`
    delete from lead_imports where organisation_id = ${organisationId} and state = 'draft' and id in (
      select id from lead_imports where organisation_id = ${organisationId} and state = 'draft'
      order by created_at desc offset ${most})
    returning stored_name`.execute(tx);
  return rows.map((row) => row.stored_name);
}
