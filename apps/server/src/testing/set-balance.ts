import { join } from "node:path";
import { openDatabase } from "../db/database.ts";
import { readOrMakePassword } from "../db/embedded/create-cluster.ts";
import { findLivePostmaster } from "../db/embedded/postmaster.ts";
import { createLog } from "../log.ts";

/** In the embedded database of a Leadline that runs on this folder, as the administrator of the server would: no screen does. */
export async function setBalance(
  dataDir: string,
  { organisationId, balanceMicros }: { organisationId: string; balanceMicros: number },
): Promise<void> {
  const port = findLivePostmaster(join(dataDir, "postgres"))?.port;
  const url = `postgres://leadline:${readOrMakePassword(dataDir)}@127.0.0.1:${port}/leadline`;
  const database = openDatabase(url, createLog("silent"), { maxConnections: 1 });
  try {
    await database.withTransaction({ organisationId }, (tx) =>
      tx.updateTable("organisations").set({ balance: balanceMicros }).where("id", "=", organisationId).execute(),
    );
  } finally {
    await database.close();
  }
}
