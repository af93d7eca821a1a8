import type { Database } from "../../../db/database.ts";
import type { Sealer } from "../../../seal-secrets.ts";
import { ownerOf } from "./crm-access.ts";
import { replaceGrant, selectGrants } from "./crm-grants.table.ts";

/** At start: re-encrypts CRM access with the current SECRET_KEY. */
export const renewGrants = (database: Database, sealer: Sealer): Promise<void> =>
  database.withTransaction({ system: "access of every organisation" }, async (tx) => {
    for (const grant of await selectGrants(tx)) {
      const renewed = sealer.renew(grant.sealed, ownerOf(grant));
      if (renewed !== null) await replaceGrant(tx, { ...grant, renewed });
    }
  });
