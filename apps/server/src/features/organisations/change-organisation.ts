import type { Organisation, UpdateOrganisationInput } from "@leadline/contract/organisations";
import { isSupportedCountry } from "libphonenumber-js/max";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import { announceOrganisation } from "./announce-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { updateOrganisation } from "./organisations.table.ts";

/** Any organisation of theirs, active or not: what counts is the role in that one. */
export async function changeOrganisation(
  database: Database,
  key: { userId: string; organisationId: string },
  change: z.output<typeof UpdateOrganisationInput>,
): Promise<Organisation> {
  if (change.defaultCountry !== undefined && !isSupportedCountry(change.defaultCountry)) {
    throw invalidInput([{ path: ["defaultCountry"], message: "Choose a country." }]);
  }
  const { role } = await database.withTransaction({ userId: key.userId }, (tx) => requireOrganisation(tx, key));
  if (role === "member") throw new Problem("not-allowed", "Only an admin or owner of the organisation may do this.");
  return database.withTransaction(key, async (tx) => {
    await updateOrganisation(tx, key.organisationId, change);
    const changed = await requireOrganisation(tx, key);
    await announceOrganisation(tx, changed);
    return changed;
  });
}
