import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { type Database, openDatabase } from "../db/database.ts";
import { readOrMakePassword } from "../db/embedded/create-cluster.ts";
import { findLivePostmaster } from "../db/embedded/postmaster.ts";
import { createLog } from "../log.ts";

/** Adjusts the balance to this amount, as the server's administrator would; no screen does this. */
export const adjustBalance = (
  database: Pick<Database, "withTransaction">,
  { organisationId, balanceMicros }: { organisationId: string; balanceMicros: number },
): Promise<unknown> =>
  database.withTransaction({ organisationId }, (tx) =>
    sql`
      select case when lacks > 0
        then ledger_post(${organisationId}, ${randomUUID()}, 'adjustment', 'adjustments', 'balance', lacks)
        else ledger_post(${organisationId}, ${randomUUID()}, 'adjustment', 'balance', 'adjustments', -lacks, null, true) end
      from (select ${balanceMicros} - balance as lacks from ledger_accounts
        where organisation_id = ${organisationId} and account = 'balance') as now where lacks <> 0`.execute(tx),
  );

/** Makes the organisation prepaid, in the embedded database of a Leadline that runs on this folder. */
export async function setBalance(
  dataDir: string,
  { organisationId, balanceMicros }: { organisationId: string; balanceMicros: number },
): Promise<void> {
  const port = findLivePostmaster(join(dataDir, "postgres"))?.port;
  const url = `postgres://leadline:${readOrMakePassword(dataDir)}@127.0.0.1:${port}/leadline`;
  const database = openDatabase(url, createLog("silent"), { maxConnections: 1 });
  try {
    await adjustBalance(database, { organisationId, balanceMicros });
    await database.withTransaction({ organisationId }, (tx) =>
      tx.updateTable("organisations").set({ billing_mode: "prepaid" }).where("id", "=", organisationId).execute(),
    );
  } finally {
    await database.close();
  }
}
