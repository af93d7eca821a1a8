import type { CallDispositionInput } from "@leadline/contract/call-disposition";
import type { Call } from "@leadline/contract/calls";
import { isAdmin } from "@leadline/contract/organisations";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { requireOfferedOutcome } from "../../call-outcomes/require-offered-outcome.ts";
import { followOutcome } from "../../do-not-call/follow-outcome.ts";
import { followCallBackOutcome } from "../../follow-ups/follow-call-back-outcome.ts";
import { decideFollowUp } from "../../follow-ups/decide-follow-up.ts";
import { setFollowUp } from "../../follow-ups/set-follow-up.ts";
import { storedFollowUp } from "../../follow-ups/stored-follow-up.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { toCall, type CallDeps } from "../call-deps.ts";
import { disposeCall } from "./call-log.table.ts";
import { findCall } from "../calls.table.ts";

interface SetCallDisposition {
  caller: Member;
  callSid: string;
  disposition: CallDispositionInput;
}

/** Stores a call's disposition, during the call or later, and notifies the organisation's tabs. */
export async function setCallDisposition(
  deps: Pick<CallDeps, "database" | "carriers">,
  { caller, callSid, disposition }: SetCallDisposition,
): Promise<Call> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const current = await findCall(tx, callSid);
    if (current?.organisationId !== organisationId) throw new Problem("not-found", "Call not found.");
    if (current.userId !== caller.userId && !isAdmin(caller.organisation.role))
      throw new Problem(
        "not-allowed",
        "Only the person who was on the call, or an admin, can change its note and outcome.",
      );
    const { outcomeId } = disposition;
    const followUpBefore = storedFollowUp(current);
    const followUp = await decideFollowUp(tx, { caller, current: followUpBefore, change: disposition });
    // An outcome archived since it was chosen may stay.
    if (outcomeId && outcomeId !== current.outcome?.id) await requireOfferedOutcome(tx, organisationId, outcomeId);
    await disposeCall(tx, callSid, disposition);
    const { phoneNumber, leadId } = current;
    if (outcomeId !== undefined) await followOutcome(tx, { caller, callSid, phoneNumber, outcomeId });
    if (followUp !== undefined) await setFollowUp(tx, { organisationId, phoneNumber, leadId }, followUp);
    else if (outcomeId && outcomeId !== current.outcome?.id)
      await followCallBackOutcome(tx, { caller, phoneNumber, leadId, outcomeId, current: followUpBefore });
    const stored = (await findCall(tx, callSid)) ?? current;
    const call = toCall(deps.carriers, stored);
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: call });
    return call;
  });
}
