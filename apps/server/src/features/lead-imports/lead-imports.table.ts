import type { Tx } from "../../db/transaction.ts";
import {
  type LeadImport,
  type LeadMapping,
  ListedImport,
  type PartialLeadMapping,
} from "@leadline/contract/lead-imports";
import { type Generated, type Selectable, sql } from "kysely";

export interface LeadImportTable {
  id: string;
  organisation_id: string;
  user_id: string;
  file_name: string;
  /** Null once the file is no longer needed. */
  stored_name: string | null;
  state: Generated<LeadImport["state"]>;
  delimiter: string;
  columns: string[];
  preview: string[][];
  suggested_mapping: PartialLeadMapping;
  mapping: LeadMapping | null;
  skip_known_numbers: Generated<boolean>;
  row_count: number;
  /** The checkpoint: this many rows, including empty ones, are done, and the next one starts at this byte. */
  rows_read: Generated<number>;
  bytes_read: number;
  created_count: Generated<number>;
  skipped_count: Generated<number>;
  duplicate_count: Generated<number>;
  failed_count: Generated<number>;
  problem: string | null;
  /** Failed attempts since the last step. */
  failures: Generated<number>;
  retry_at: string | null;
  /** When a worker last claimed it. */
  touched_at: Generated<string>;
  created_at: Generated<string>;
  finished_at: string | null;
}

export interface LeadImportErrorTable {
  import_id: string;
  organisation_id: string;
  row_number: number;
  message: string;
  cells: string[] | null;
}

export interface LeadImportKey {
  id: string;
  organisationId: string;
}

export const toLeadImport = (row: Selectable<LeadImportTable>): LeadImport => ({
  id: row.id,
  fileName: row.file_name,
  state: row.state,
  columns: row.columns,
  preview: row.preview,
  suggestedMapping: row.suggested_mapping,
  rowCount: row.row_count,
  created: row.created_count,
  skipped: row.skipped_count,
  duplicates: row.duplicate_count,
  failed: row.failed_count,
  problem: row.problem,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

/** Latest first. */
export async function selectLatestImports(tx: Tx, organisationId: string, limit: number): Promise<ListedImport[]> {
  const rows = await tx
    .selectFrom("lead_imports")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ListedImport.parse(toLeadImport(row)));
}

export interface NewLeadImport extends LeadImportKey {
  userId: string;
  fileName: string;
  storedName: string;
  delimiter: string;
  columns: string[];
  preview: string[][];
  suggestedMapping: PartialLeadMapping;
  rowCount: number;
  /** Where the second row starts. */
  bytesRead: number;
}

export async function insertLeadImport(tx: Tx, given: NewLeadImport): Promise<LeadImport> {
  const { rows } = await sql<Selectable<LeadImportTable>>`
    insert into lead_imports (id, organisation_id, user_id, file_name, stored_name, delimiter, columns, preview,
      suggested_mapping, row_count, bytes_read)
    values (${given.id}, ${given.organisationId}, ${given.userId}, ${given.fileName}, ${given.storedName},
      ${given.delimiter}, ${JSON.stringify(given.columns)}, ${JSON.stringify(given.preview)},
      ${JSON.stringify(given.suggestedMapping)}, ${given.rowCount}, ${given.bytesRead})
    returning *`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("an insert answered no row");
  return toLeadImport(row);
}

export async function findLeadImport(tx: Tx, key: LeadImportKey): Promise<Selectable<LeadImportTable> | null> {
  const row = await tx
    .selectFrom("lead_imports")
    .selectAll()
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .executeTakeFirst();
  return row ?? null;
}

/** False if it is no longer a draft. */
export async function markStarted(
  tx: Tx,
  key: LeadImportKey,
  how: { mapping: LeadMapping; skipKnownNumbers: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update lead_imports set state = 'running', mapping = ${JSON.stringify(how.mapping)},
      skip_known_numbers = ${how.skipKnownNumbers}, touched_at = clock_timestamp()
    where id = ${key.id} and organisation_id = ${key.organisationId} and state = 'draft'
    returning id`.execute(tx);
  return rows.length > 0;
}

const now = sql<string>`clock_timestamp()`;

export interface ImportStep {
  /** Where the step starts. Another worker that was faster has moved it. */
  rowsBefore: number;
  rowsRead: number;
  bytesRead: number;
  created: number;
  skipped: number;
  duplicates: number;
  failed: number;
}

/** Moves the checkpoint. False if another worker did, or somebody stopped the import. */
export async function moveCheckpoint(tx: Tx, key: LeadImportKey, step: ImportStep): Promise<boolean> {
  const moved = await tx
    .updateTable("lead_imports")
    .set({
      rows_read: step.rowsRead,
      bytes_read: step.bytesRead,
      created_count: sql<number>`created_count + ${step.created}`,
      skipped_count: sql<number>`skipped_count + ${step.skipped}`,
      duplicate_count: sql<number>`duplicate_count + ${step.duplicates}`,
      failed_count: sql<number>`failed_count + ${step.failed}`,
      failures: 0,
      retry_at: null,
      touched_at: now,
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "running")
    .where("rows_read", "=", step.rowsBefore)
    .executeTakeFirst();
  return moved.numUpdatedRows > 0n;
}

/** Locks the import's row until the transaction ends, so that no other worker imports the same step. */
export async function lockCheckpoint(tx: Tx, key: LeadImportKey, rowsBefore: number): Promise<boolean> {
  const row = await tx
    .selectFrom("lead_imports")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "running")
    .where("rows_read", "=", rowsBefore)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function markFinished(tx: Tx, key: LeadImportKey, problem: string | null): Promise<void> {
  await tx
    .updateTable("lead_imports")
    .set({
      state: problem === null ? "completed" : "failed",
      problem,
      stored_name: null,
      finished_at: now,
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where("state", "=", "running")
    .execute();
}

export interface RowError {
  row: number;
  message: string;
  cells: readonly string[];
}

export async function insertRowErrors(tx: Tx, key: LeadImportKey, errors: readonly RowError[]): Promise<void> {
  if (errors.length === 0) return;
  await sql`
    insert into lead_import_errors (import_id, organisation_id, row_number, message, cells)
    select ${key.id}::uuid, ${key.organisationId}::uuid, row_number, message, cells
    from unnest(${errors.map((error) => error.row)}::integer[], ${errors.map((error) => error.message)}::text[],
      ${errors.map((error) => JSON.stringify(error.cells))}::json[]) as given (row_number, message, cells)`.execute(tx);
}

/** Returns whether the import existed. */
export async function removeLeadImport(tx: Tx, key: LeadImportKey): Promise<boolean> {
  const removed = await tx
    .deleteFrom("lead_imports")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Uploads that weren't started within a day, and imports finished a month ago. */
export async function removePastImports(tx: Tx): Promise<void> {
  await tx
    .deleteFrom("lead_imports")
    .where((where) =>
      where.or([
        where.and([where("state", "=", "draft"), where("created_at", "<", sql<string>`now() - interval '1 day'`)]),
        where("finished_at", "<", sql<string>`now() - interval '30 days'`),
      ]),
    )
    .execute();
}

export async function selectImportFiles(tx: Tx, storedNames: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom("lead_imports")
    .select("stored_name")
    .where("stored_name", "in", storedNames)
    .execute();
  return rows.flatMap((row) => row.stored_name ?? []);
}

/** Deletes up to `limit` failed rows or duplicates or, if none are left, imports. Returns how many. */
export async function deleteSomeOfImports(tx: Tx, organisationId: string, limit: number): Promise<number> {
  for (const table of ["lead_import_errors", "lead_import_duplicates"]) {
    const rows = await sql`
      delete from ${sql.table(table)} where (import_id, row_number) in (
        select listed.import_id, listed.row_number from lead_imports as own
        join ${sql.table(table)} as listed on listed.import_id = own.id
        where own.organisation_id = ${organisationId} limit ${limit} for update of listed)`.execute(tx);
    if ((rows.numAffectedRows ?? 0n) > 0n) return Number(rows.numAffectedRows);
  }
  const imports = await sql`
    delete from lead_imports where id in (
      select id from lead_imports where organisation_id = ${organisationId} limit ${limit} for update)`.execute(tx);
  return Number(imports.numAffectedRows ?? 0n);
}
