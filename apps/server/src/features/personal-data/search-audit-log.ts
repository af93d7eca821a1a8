import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../db/database.ts";
import type { Scope } from "../../db/transaction.ts";
import { type AuditPosition, type AuditTraces, findSettledTime, searchAuditSlice } from "./audit-traces.table.ts";
import type { Traces } from "./find-traces.table.ts";

/** A slice takes well under a second. */
const entriesAtOnce = 2_000;

/** Searches the organisation's audit log slice by slice, each in its own transaction, which locks nothing. */
export async function searchAuditLog(
  { readInTransaction }: Pick<Database, "readInTransaction">,
  scope: Scope,
  traces: Traces,
  entries = entriesAtOnce,
): Promise<AuditTraces> {
  const searchedTo = await readInTransaction(scope, findSettledTime);
  const searchFrom = (from: AuditPosition) =>
    readInTransaction(scope, (tx) => searchAuditSlice(tx, traces, { before: searchedTo, from, entries }));
  const changeIds: number[] = [];
  let from: AuditPosition = null;
  do {
    const slice = await searchFrom(from);
    changeIds.push(...slice.changeIds);
    from = slice.next;
  } while (from !== null);
  return { changeIds, searchedTo };
}

/** What was found with earlier traces. If the lead has changed meanwhile, that isn't all, and everything is searched again. */
export const foundIfSame = (traces: Traces, before: Traces, found: AuditTraces): AuditTraces =>
  isDeepStrictEqual(traces, before) ? found : { changeIds: [], searchedTo: null };
