import type { BillingSummary } from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectSummary, writeBillingMode } from "./entries.table.ts";

/** Calls in progress keep the mode they began with. */
export function setBillingMode(
  database: Database,
  caller: Member,
  mode: BillingSummary["mode"],
): Promise<BillingSummary> {
  const organisationId = caller.organisation.id;
  return database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await writeBillingMode(tx, organisationId, mode);
    return selectSummary(tx, organisationId);
  });
}
