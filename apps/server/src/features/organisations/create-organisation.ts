import { randomUUID } from "node:crypto";
import type { Organisation } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../http/route.ts";
import { addStartingOutcomes } from "../call-outcomes/add-starting-outcomes.ts";
import { activateOrganisation } from "../users/set-active-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { insertOrganisation, type NewOrganisation } from "./organisations.table.ts";
import { refuseUnknownCountry } from "./refuse-unknown-country.ts";

/** Whoever makes it owns it, and it becomes their active one. */
export async function createOrganisation(
  database: Database,
  caller: Identity,
  given: NewOrganisation,
): Promise<Organisation> {
  const { userId } = caller;
  refuseUnknownCountry(given.defaultCountry);
  const organisationId = randomUUID();
  return database.withTransaction({ userId, organisationId }, async (tx) => {
    await insertOrganisation(tx, { id: organisationId, ...given }, userId);
    await addStartingOutcomes(tx, organisationId);
    await activateOrganisation(tx, caller, organisationId);
    return requireOrganisation(tx, { userId, organisationId });
  });
}
