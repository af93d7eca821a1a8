import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { holdCallOutcome } from "./call-outcomes.table.ts";

/** Refuses an outcome that isn't in the organisation's list. Locks one that is until the transaction ends. */
export async function requireOfferedOutcome(tx: Tx, organisationId: string, outcomeId: string): Promise<void> {
  const outcome = await holdCallOutcome(tx, { organisationId, id: outcomeId });
  if (outcome && !outcome.archived) return;
  const message = "This outcome is no longer offered. Choose another.";
  throw new Problem("invalid-input", message, { errors: [{ field: "outcomeId", message }] });
}
