import type { CallOutcome } from "@leadline/contract/call-outcomes";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { findCallOutcome, selectCallOutcomes } from "./call-outcomes.table.ts";

export const listCallOutcomes = (database: Database, caller: Member): Promise<CallOutcome[]> =>
  database.withTransaction(scopeOf(caller), (tx) => selectCallOutcomes(tx, caller.organisation.id));

export async function requireCallOutcome(tx: Tx, key: { organisationId: string; id: string }): Promise<CallOutcome> {
  const outcome = await findCallOutcome(tx, key);
  if (!outcome) throw new Problem("not-found", "Outcome not found.");
  return outcome;
}
