import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { holdCallOutcome } from "./call-outcomes.table.ts";

/** Refuses an outcome that is not in the organisation's list; one that is stays there until the transaction ends. */
export async function requireOfferedOutcome(tx: Tx, organisationId: string, outcomeId: string): Promise<void> {
  const outcome = await holdCallOutcome(tx, { organisationId, id: outcomeId });
  if (outcome && !outcome.archived) return;
  const message = "This outcome is no longer offered. Choose another.";
  throw new Problem("invalid-input", message, { errors: [{ field: "outcomeId", message }] });
}
