import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { toCall, type CallDeps } from "../call-deps.ts";
import { findCall } from "../calls.table.ts";

/** Reads a call of the caller's active organisation. */
export async function readCall(
  deps: CallDeps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<Call> {
  const scope = { organisationId: caller.organisation.id, userId: caller.userId };
  const stored = await deps.database.withTransaction(scope, (tx) => findCall(tx, callSid));
  if (stored?.organisationId !== caller.organisation.id) throw new Problem("not-found", "Call not found.");
  return toCall(deps.carriers, stored);
}
