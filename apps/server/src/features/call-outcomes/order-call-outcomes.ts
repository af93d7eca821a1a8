import type { CallOutcome } from "@leadline/contract/call-outcomes";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { lockCallOutcomes, positionCallOutcomes, selectCallOutcomes } from "./call-outcomes.table.ts";

/** Ignores ids that aren't the organisation's, so that an order sent while another tab deletes one still applies. */
export async function orderCallOutcomes(
  database: Database,
  { caller, ids }: { caller: Member; ids: readonly string[] },
): Promise<CallOutcome[]> {
  const organisationId = caller.organisation.id;
  return database.withTransaction(scopeOf(caller), async (tx) => {
    await lockCallOutcomes(tx, organisationId);
    await positionCallOutcomes(tx, organisationId, ids);
    return selectCallOutcomes(tx, organisationId);
  });
}
