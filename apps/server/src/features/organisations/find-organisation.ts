import type { Organisation } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { findActiveOrganisationOf, findOrganisationOf } from "./organisations.table.ts";

/** An organisation that the person belongs to. Throws the same problem for others as for missing ones. */
export async function requireOrganisation(
  tx: Tx,
  key: { userId: string; organisationId: string },
): Promise<Organisation> {
  const organisation = await findOrganisationOf(tx, key);
  if (organisation === undefined) throw new Problem("not-found", "Organisation not found.");
  return organisation;
}

export async function activeOrganisationOf(tx: Tx, userId: string): Promise<Organisation | null> {
  return (await findActiveOrganisationOf(tx, userId)) ?? null;
}
