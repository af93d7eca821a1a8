import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { retryFailed } from "../outbox/outbox.table.ts";
import type { WritingDeps } from "../outbox/write-due.ts";
import { chooseLead, findCallNeedingLead } from "./call-activities.table.ts";

type Deps = Pick<WritingDeps, "database" | "publishCall">;

/** Chooses which of the leads with the call's number it was, for this call and all others with that number. */
export function chooseLeadOfCall(
  deps: Deps,
  { caller, callSid, leadId }: { caller: Member; callSid: string; leadId: string },
): Promise<undefined> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const call = await findCallNeedingLead(tx, { organisationId, callSid });
    if (call === null) throw new Problem("not-found", "This call has no lead to choose.");
    const sorted = await chooseLead(tx, { organisationId, callSid, leadId, ...call });
    if (sorted === null) throw new Problem("not-found", "Choose a lead that has this number.");
    for (const each of sorted) await deps.publishCall(tx, each);
    return undefined;
  });
}

/** Retries a call that the CRM refused. */
export function retryWritingCall(
  deps: Deps,
  { caller, callSid }: { caller: Member; callSid: string },
): Promise<undefined> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    if (!(await retryFailed(tx, "call_activities", { organisationId, key: callSid })))
      throw new Problem("not-found", "There’s nothing to retry for this call.");
    await deps.publishCall(tx, callSid);
    return undefined;
  });
}
