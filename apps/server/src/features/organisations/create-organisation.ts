import { randomUUID } from "node:crypto";
import type { Organisation } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Identity } from "../../http/route.ts";
import { addStartingOutcomes } from "../call-outcomes/add-starting-outcomes.ts";
import { countDaily } from "../attempts/count-daily.ts";
import { activateOrganisation } from "../users/set-active-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { countOwned, insertOrganisation, lockOwner, type NewOrganisation } from "./organisations.table.ts";
import { refuseUnknownCountry } from "./refuse-unknown-country.ts";

const maxOwned = 10;
/** Including those deleted since. */
const maxPerDay = 20;

/** The caller becomes its owner, and it becomes their active organisation. */
export async function createOrganisation(
  database: Database,
  caller: Identity,
  given: NewOrganisation,
): Promise<Organisation> {
  const { userId } = caller;
  refuseUnknownCountry(given.defaultCountry);
  const organisationId = randomUUID();
  // Checked before counting, so that a refused attempt doesn't count towards the daily limit.
  await database.withTransaction({ userId }, (tx) => refuseTooManyOwned(tx, userId));
  await countDaily(database.withTransaction, "organisation", {
    by: userId,
    most: maxPerDay,
    sentence: `You can create ${maxPerDay} organisations a day.`,
  });
  return database.withTransaction({ userId, organisationId }, async (tx) => {
    await lockOwner(tx, userId);
    await refuseTooManyOwned(tx, userId);
    await insertOrganisation(tx, { id: organisationId, ...given }, userId);
    await addStartingOutcomes(tx, organisationId);
    await activateOrganisation(tx, caller, organisationId);
    return requireOrganisation(tx, { userId, organisationId });
  });
}

async function refuseTooManyOwned(tx: Tx, userId: string): Promise<void> {
  if ((await countOwned(tx, userId)) >= maxOwned)
    throw new Problem(
      "quota-reached",
      `You own ${maxOwned} organisations, which is the limit. Delete one you no longer need, or leave it to another owner.`,
    );
}
