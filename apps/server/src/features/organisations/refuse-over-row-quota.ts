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

/** Throws if the organisation would have more rows than its quota. @throws quota-reached */
export async function refuseOverRowQuota(
  tx: Tx,
  { adding, ...of }: { organisationId: string; table: CountedTable; adding: number },
): Promise<void> {
  const { known } = await countKnown(tx, of);
  refuseBeyond(of.table, known.rows + adding);
  known.rows += adding;
}

/** For rows that this transaction has just inserted, so that only new ones count; it must be rolled back. @throws quota-reached */
export async function refuseInsertedOverRowQuota(
  tx: Tx,
  { inserted, ...of }: { organisationId: string; table: CountedTable; inserted: number },
): Promise<void> {
  if (inserted === 0) return;
  const { known, isFresh } = await countKnown(tx, of);
  const before = isFresh ? known.rows - inserted : known.rows;
  known.rows = before;
  refuseBeyond(of.table, before + inserted);
  known.rows += inserted;
}

async function countKnown(tx: Tx, { organisationId, table }: { organisationId: string; table: CountedTable }) {
  const key = `${table} ${organisationId}`;
  const nowMs = performance.now();
  const kept = counted.get(key);
  if (kept !== undefined && kept.untilMs >= nowMs) return { known: kept, isFresh: false };
  if (counted.size >= maxKept) counted.clear();
  const rows = await countRows(tx, { organisationId, table, most: rowQuotas[table] + 1 });
  const known = { rows, untilMs: nowMs + countedForMs };
  counted.set(key, known);
  return { known, isFresh: true };
}

function refuseBeyond(table: CountedTable, rows: number): void {
  const most = rowQuotas[table];
  if (rows > most)
    throw new Problem(
      "quota-reached",
      `Your organisation can have ${most.toLocaleString("en-US")} ${contents[table]}. Delete some you no longer need; it can take a minute until there is room.`,
    );
}

export const isQuotaReached = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "quota-reached";
