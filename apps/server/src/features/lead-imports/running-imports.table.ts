import { type Selectable, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import type { LeadImportKey, LeadImportTable } from "./lead-imports.table.ts";

const now = sql<string>`clock_timestamp()`;

/** Leases the import to a worker. Null if it isn't running. */
export async function takeRunningImport(tx: Tx, key: LeadImportKey): Promise<Selectable<LeadImportTable> | null> {
  const row = await tx
    .updateTable("lead_imports")
    .set({ touched_at: now })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "running")
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Makes it wait. False if it has ended meanwhile. */
export async function postponeImport(tx: Tx, key: LeadImportKey, afterMs: number): Promise<boolean> {
  const postponed = await tx
    .updateTable("lead_imports")
    .set((given) => ({
      failures: given("failures", "+", 1),
      retry_at: sql<string>`clock_timestamp() + ${afterMs} * interval '1 millisecond'`,
      touched_at: now,
    }))
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "running")
    .executeTakeFirst();
  return postponed.numUpdatedRows > 0n;
}

/** Running imports of all organisations that no worker has touched for that long, and that aren't postponed. */
export async function selectIdleImports(tx: Tx, idleMs: number): Promise<LeadImportKey[]> {
  return tx
    .selectFrom("lead_imports")
    .select(["id", "organisation_id as organisationId"])
    .where("state", "=", "running")
    .where(sql<boolean>`greatest(touched_at, retry_at) <= clock_timestamp() - ${idleMs} * interval '1 millisecond'`)
    .execute();
}
