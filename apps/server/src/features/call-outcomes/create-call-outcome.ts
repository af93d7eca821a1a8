import type { CallOutcome } from "@leadline/contract/call-outcomes";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { insertCallOutcomes, lockCallOutcomes } from "./call-outcomes.table.ts";
import { keepListUsable } from "./keep-list-usable.ts";
import { requireCallOutcome } from "./list-call-outcomes.ts";

export async function createCallOutcome(database: Database, caller: Member, name: string): Promise<CallOutcome> {
  const organisationId = caller.organisation.id;
  return database.withTransaction(scopeOf(caller), async (tx) => {
    await lockCallOutcomes(tx, organisationId);
    await keepListUsable(tx, organisationId, { id: null, name });
    const [inserted] = await insertCallOutcomes(tx, organisationId, [{ name }]);
    return requireCallOutcome(tx, { organisationId, id: inserted?.id ?? "" });
  });
}
