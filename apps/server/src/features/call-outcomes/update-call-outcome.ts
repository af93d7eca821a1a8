import type { CallOutcome } from "@leadline/contract/call-outcomes";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { type CallOutcomeChange, changeCallOutcome, lockCallOutcomes } from "./call-outcomes.table.ts";
import { keepListUsable } from "./keep-list-usable.ts";
import { requireCallOutcome } from "./list-call-outcomes.ts";

interface UpdateCallOutcome {
  caller: Member;
  id: string;
  change: CallOutcomeChange;
}

export async function updateCallOutcome(
  database: Database,
  { caller, id, change }: UpdateCallOutcome,
): Promise<CallOutcome> {
  const organisationId = caller.organisation.id;
  return database.withTransaction(scopeOf(caller), async (tx) => {
    await lockCallOutcomes(tx, organisationId);
    const current = await requireCallOutcome(tx, { organisationId, id });
    const name = change.name ?? current.name;
    if (!(change.archived ?? current.archived)) await keepListUsable(tx, organisationId, { id, name });
    await changeCallOutcome(
      tx,
      { organisationId, id },
      {
        ...change,
        ...(change.doNotCall && { callBack: false }),
        ...(change.callBack && { doNotCall: false }),
      },
    );
    return requireCallOutcome(tx, { organisationId, id });
  });
}
