import type { BillingDetails } from "@leadline/contract/receipts";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { findDetails, putDetails } from "./receipts.table.ts";

const none: BillingDetails = { name: "", address: "", taxNumber: "" };

export async function getBillingDetails(database: Database, { organisation, userId }: Member): Promise<BillingDetails> {
  const scope = { userId, organisationId: organisation.id };
  return (await database.readInTransaction(scope, (tx) => findDetails(tx, organisation.id))) ?? none;
}

export async function updateBillingDetails(
  database: Database,
  { organisation, userId }: Member,
  details: BillingDetails,
): Promise<BillingDetails> {
  const scope = { userId, organisationId: organisation.id };
  await database.withTransaction(scope, (tx) => putDetails(tx, organisation.id, details));
  return details;
}
