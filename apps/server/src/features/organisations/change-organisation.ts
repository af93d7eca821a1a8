import { isAdmin, type Organisation, type UpdateOrganisationInput } from "@leadline/contract/organisations";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { announceOrganisation } from "./announce-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { updateOrganisation } from "./organisations.table.ts";
import { refuseUnknownCountry } from "./refuse-unknown-country.ts";

export interface OrganisationDeps {
  database: Database;
  /** Called in the transaction of the change: another country changes the meaning of numbers without a country code. */
  onCountryChanged(tx: Tx, changed: { organisationId: string; before: string }): Promise<void>;
}

/** Works for inactive organisations too: the role in that organisation counts. */
export async function changeOrganisation(
  { database, onCountryChanged }: OrganisationDeps,
  key: { userId: string; organisationId: string },
  change: z.output<typeof UpdateOrganisationInput>,
): Promise<Organisation> {
  refuseUnknownCountry(change.defaultCountry);
  const { role } = await database.withTransaction({ userId: key.userId }, (tx) => requireOrganisation(tx, key));
  if (!isAdmin(role)) throw new Problem("not-allowed", "Only an admin or owner can do this.");
  return database.withTransaction(key, async (tx) => {
    const before = await requireOrganisation(tx, key);
    await updateOrganisation(tx, key.organisationId, change);
    const changed = await requireOrganisation(tx, key);
    if (changed.defaultCountry !== before.defaultCountry)
      await onCountryChanged(tx, { organisationId: key.organisationId, before: before.defaultCountry });
    await announceOrganisation(tx, changed);
    return changed;
  });
}
