import { sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface ProcessTable {
  process_key: number;
  seen_at: string;
}

/** Also deletes processes whose calls ended long ago. */
export async function noteProcessSeen(tx: Tx, processKey: number): Promise<void> {
  await tx
    .deleteFrom("processes")
    .where("seen_at", "<", sql<string>`clock_timestamp() - interval '1 day'`)
    .execute();
  const seen_at = sql<string>`clock_timestamp()`;
  await tx
    .insertInto("processes")
    .values({ process_key: processKey, seen_at })
    .onConflict((conflict) => conflict.column("process_key").doUpdateSet({ seen_at }))
    .execute();
}
