import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** The database's time, which is the same for every process: RFC 3339, in microseconds. */
export async function readClock(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error("the database returned no time");
  return row.now;
}
