import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { changeCallOutcome, deleteUnusedCallOutcome, lockCallOutcomes } from "./call-outcomes.table.ts";
import { requireCallOutcome } from "./list-call-outcomes.ts";

/** Archives an outcome that calls use, because they must stay readable, and deletes any other. */
export async function removeCallOutcome(
  database: Database,
  { caller, id }: { caller: Member; id: string },
): Promise<{ archived: boolean }> {
  const organisationId = caller.organisation.id;
  return database.withTransaction(scopeOf(caller), async (tx) => {
    await lockCallOutcomes(tx, organisationId);
    await requireCallOutcome(tx, { organisationId, id });
    if (await deleteUnusedCallOutcome(tx, { organisationId, id })) return { archived: false };
    await changeCallOutcome(tx, { organisationId, id }, { archived: true });
    return { archived: true };
  });
}
