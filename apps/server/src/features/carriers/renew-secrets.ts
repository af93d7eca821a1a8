import type { Database } from "../../db/database.ts";
import type { Sealer } from "../../seal-secrets.ts";
import { replaceSecrets, selectSecrets } from "./carriers.table.ts";
import { ownerOf } from "./read-settings.ts";

/** At start: re-encrypts with the current SECRET_KEY what a previous one encrypted, so that the old key can be removed. */
export const renewCarrierSecrets = (database: Database, sealer: Sealer): Promise<void> =>
  database.withTransaction({ system: "secrets of every organisation" }, async (tx) => {
    for (const secret of await selectSecrets(tx)) {
      const renewed = sealer.renew(secret.sealed, ownerOf(secret));
      if (renewed !== null) await replaceSecrets(tx, { ...secret, renewed });
    }
  });
