import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

/** Waits for any other transaction that writes this call, and keeps later ones waiting until this one ends. */
export async function lockCall(tx: Tx, callSid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('call:' || ${callSid}, 0))`.execute(tx);
}
