import { isMember } from "../members/list-members.ts";
import type { CallDeps } from "./call-deps.ts";
import { endCall } from "./end-call.ts";

/** Who was removed from an organisation talks no longer on its account. */
export async function endCallsOfFormerMember(deps: CallDeps, userId: string): Promise<void> {
  for (const live of deps.liveCalls.all().filter((call) => call.userId === userId)) {
    const member = await isMember(deps.database, { organisationId: live.organisationId, userId }).catch(
      (error: unknown) => {
        deps.log.warn({ err: error, callSid: live.callSid }, "whether a caller is still a member could not be read");
        return true;
      },
    );
    if (!member) await endCall(deps, live, { reason: "left", sip: null, q850: 16 });
  }
}
