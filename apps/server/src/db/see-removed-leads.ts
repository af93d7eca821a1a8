import { sql } from "kysely";
import type { Tx } from "./transaction.ts";

/** Row-level security hides removed leads: "on" shows them to the rest of the transaction, "off" hides them again. */
export async function seeRemovedLeads(tx: Tx, sees: "on" | "off"): Promise<void> {
  await sql`select set_config('app.sees_removed_leads', ${sees}, true)`.execute(tx);
}
