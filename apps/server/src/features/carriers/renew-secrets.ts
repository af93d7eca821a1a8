import type { Database } from "../../db/database.ts";
import type { Sealer } from "../../seal-secrets.ts";
import { replaceSecrets, selectSecrets } from "./carriers.table.ts";
import { ownerOf } from "./read-settings.ts";

/** At start: what a previous SECRET_KEY encrypted is encrypted with the current one, so that the previous can be removed. */
export const renewCarrierSecrets = (database: Database, sealer: Sealer): Promise<void> =>
  database.withTransaction({ system: "secrets of every organisation" }, async (tx) => {
    for (const secret of await selectSecrets(tx)) {
      const renewed = sealer.renew(secret.sealed, ownerOf(secret));
      if (renewed !== null) await replaceSecrets(tx, { ...secret, renewed });
    }
  });
