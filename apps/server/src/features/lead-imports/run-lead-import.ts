import type { Database } from "../../db/database.ts";
import type { FileStore } from "../files/file-store.ts";
import { insertLeads } from "../leads/insert/insert-leads.ts";
import {
  insertRowErrors,
  type LeadImportKey,
  lockCheckpoint,
  markFinished,
  moveCheckpoint,
  type RowError,
} from "./lead-imports.table.ts";
import { takeRunningImport } from "./running-imports.table.ts";
import { insertDuplicates } from "./duplicates.table.ts";
import { readLeads } from "./reading/read-csv.ts";
import type { LeadsRead } from "./reading/reading-thread.ts";

type Running = NonNullable<Awaited<ReturnType<typeof takeRunningImport>>>;

/**
 * Imports in steps for up to `sliceMs`. True if there is more to do. A step's leads, errors and checkpoint are one
 * transaction, so after a crash the next run continues at the byte after the last step, and of two concurrent runs one
 * gives way.
 */
export async function runLeadImport(
  { database, store }: { database: Database; store: FileStore },
  { sliceMs = Infinity, ...key }: LeadImportKey & { sliceMs?: number },
): Promise<boolean> {
  const startedMs = performance.now();
  const scope = { organisationId: key.organisationId };
  const running = await database.withTransaction(scope, (tx) => takeRunningImport(tx, key));
  if (running === null || running.stored_name === null) return false;
  const { delimiter, bytes_read: startByte, mapping, rows_read: rowsBefore } = running;
  // The first row, which names the columns, is row 1.
  const place = { path: store.pathOf(running.stored_name), delimiter, startByte, rowsBefore: rowsBefore + 1 };
  let settled = rowsBefore;
  try {
    for await (const part of readLeads({ ...place, mapping: mapping ?? {}, by: key.organisationId })) {
      if (part.rowsRead > 0 && !(await settleStep(database, running, { part, rowsBefore: settled }))) return false;
      settled += part.rowsRead;
      if (!part.isEndOfFile && performance.now() - startedMs > sliceMs) return true;
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    await database.withTransaction(scope, (tx) =>
      markFinished(tx, key, "The uploaded file is no longer on the server. Upload the rest of it again."),
    );
    return false;
  }
  await database.withTransaction(scope, (tx) => markFinished(tx, key, null));
  await store.remove(running.stored_name);
  return false;
}

/** False if another run has done this step, or somebody stopped the import. */
async function settleStep(
  database: Database,
  running: Running,
  { part, rowsBefore }: { part: LeadsRead; rowsBefore: number },
): Promise<boolean> {
  const { organisation_id: organisationId, skip_known_numbers: skipKnownNumbers } = running;
  const key = { id: running.id, organisationId };
  const good = part.rows.flatMap((row) => ("lead" in row ? row : []));
  const leads = good.map(({ lead }) => lead);
  const errors: RowError[] = part.rows.flatMap((row) =>
    "lead" in row ? [] : { row: row.rowNumber, message: row.message, cells: row.cells },
  );
  return database.withTransaction({ organisationId }, async (tx) => {
    if (!(await lockCheckpoint(tx, key, rowsBefore))) return false;
    const { created, duplicates } = await insertLeads(tx, { organisationId, leads, skipKnownNumbers });
    const listed = duplicates.flatMap(({ index, byNumber, of }) => {
      const row = good[index];
      return row === undefined
        ? []
        : {
            row_number: row.rowNumber,
            by_number: byNumber,
            lead_id: "leadId" in of ? of.leadId : null,
            earlier_row: "index" in of ? (good[of.index]?.rowNumber ?? null) : null,
            imported: !skipKnownNumbers,
            fields: row.lead,
          };
    });
    await insertDuplicates(tx, key, listed);
    await insertRowErrors(tx, key, errors);
    const rowsRead = rowsBefore + part.rowsRead;
    const counts = { created, skipped: leads.length - created, duplicates: listed.length, failed: errors.length };
    return moveCheckpoint(tx, key, { rowsBefore, rowsRead, bytesRead: part.nextByte, ...counts });
  });
}

const isMissingFile = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
