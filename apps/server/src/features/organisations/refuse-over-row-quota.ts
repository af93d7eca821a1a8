import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { type CountedTable, countRows } from "./row-counts.table.ts";

/** More than any organisation needs, so that one can't fill the server's disk for the others. */
export const rowQuotas: Record<CountedTable, number> = { leads: 2_000_000, do_not_call: 5_000_000 };

const contents: Record<CountedTable, string> = { leads: "leads", do_not_call: "numbers on its do-not-call list" };

/** A count of millions takes a moment, so each counts for a minute, with what this process added since. */
const countedForMs = 60_000;
const maxKept = 1_000;
const counted = new Map<string, { rows: number; untilMs: number }>();

/** Throws if the organisation would have more rows than its quota. */
export async function refuseOverRowQuota(
  tx: Tx,
  { organisationId, table, adding }: { organisationId: string; table: CountedTable; adding: number },
): Promise<void> {
  const most = rowQuotas[table];
  const key = `${table} ${organisationId}`;
  const nowMs = performance.now();
  let known = counted.get(key);
  if (known === undefined || known.untilMs < nowMs) {
    if (counted.size >= maxKept) counted.clear();
    known = { rows: await countRows(tx, { organisationId, table, most }), untilMs: nowMs + countedForMs };
    counted.set(key, known);
  }
  if (known.rows + adding > most)
    throw new Problem(
      "quota-reached",
      `Your organisation can have ${most.toLocaleString("en-US")} ${contents[table]}. Delete some you no longer need; it can take a minute until there is room.`,
    );
  known.rows += adding;
}
