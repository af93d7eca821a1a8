import { readLeadRow } from "@leadline/contract/lead-imports";
import type { Database } from "../../db/database.ts";
import type { FileStore } from "../files/file-store.ts";
import { insertLeads } from "../leads/insert-leads.ts";
import {
  insertRowErrors,
  type LeadImportKey,
  lockCheckpoint,
  markFinished,
  moveCheckpoint,
  type RowError,
} from "./lead-imports.table.ts";
import { takeRunningImport } from "./running-imports.table.ts";
import { type CsvRow, isEmptyRow, readCsv } from "./read-csv.ts";

const rowsAStep = 1_000;

type Running = NonNullable<Awaited<ReturnType<typeof takeRunningImport>>>;

/**
 * Imports step by step, for up to `sliceMs`: true where more is to be done. A step's leads, its errors and how far it came are one transaction: whatever kills this process,
 * the next run goes on at the byte after the last step, and of two runs that meet one gives way.
 */
export async function runLeadImport(
  { database, store }: { database: Database; store: FileStore },
  { sliceMs = Infinity, ...key }: LeadImportKey & { sliceMs?: number },
): Promise<boolean> {
  const startedMs = performance.now();
  const scope = { organisationId: key.organisationId };
  const running = await database.withTransaction(scope, (tx) => takeRunningImport(tx, key));
  if (running === null || running.stored_name === null) return false;
  const content = store.open(running.stored_name, { startByte: running.bytes_read });
  let { rows_read: rowsRead } = running;
  let rows: CsvRow[] = [];
  const settle = async (): Promise<boolean> => {
    const step = { rows, rowsBefore: rowsRead, startByte: running.bytes_read };
    rowsRead += rows.length;
    rows = [];
    return settleStep(database, running, step);
  };
  try {
    for await (const row of readCsv(content, running.delimiter)) {
      if (rows.push(row) < rowsAStep) continue;
      if (!(await settle())) return false;
      if (performance.now() - startedMs > sliceMs) return true;
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    await database.withTransaction(scope, (tx) =>
      markFinished(tx, key, "The uploaded file is no longer on the server. Upload the rest of it again."),
    );
    return false;
  }
  if (rows.length > 0 && !(await settle())) return false;
  await database.withTransaction(scope, (tx) => markFinished(tx, key, null));
  await store.remove(running.stored_name);
  return false;
}

/** False where another run has settled it, or somebody stopped the import. */
async function settleStep(
  database: Database,
  running: Running,
  { rows, rowsBefore, startByte }: { rows: readonly CsvRow[]; rowsBefore: number; startByte: number },
): Promise<boolean> {
  const { organisation_id: organisationId, skip_known_numbers: skipKnownNumbers } = running;
  const key = { id: running.id, organisationId };
  const leads: Parameters<typeof insertLeads>[1]["leads"][number][] = [];
  const errors: RowError[] = [];
  for (const [index, { cells }] of rows.entries()) {
    if (isEmptyRow(cells)) continue;
    const read = readLeadRow(cells, running.mapping ?? {});
    if ("lead" in read) leads.push(read.lead);
    // The first row, which names the columns, is row 1.
    else errors.push({ row: rowsBefore + index + 2, message: read.message, cells });
  }
  return database.withTransaction({ organisationId }, async (tx) => {
    if (!(await lockCheckpoint(tx, key, rowsBefore))) return false;
    const { created, skipped } = await insertLeads(tx, { organisationId, leads, skipKnownNumbers });
    await insertRowErrors(tx, key, errors);
    const rowsRead = rowsBefore + rows.length;
    const bytesRead = startByte + (rows.at(-1)?.endByte ?? 0);
    const step = { rowsBefore, rowsRead, bytesRead, created, skipped, failed: errors.length };
    return moveCheckpoint(tx, key, step);
  });
}

const isMissingFile = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
