import { mayTakeCalls } from "../../members/list-members.ts";
import { listSignedInPeople } from "../../sessions/list-signed-in-people.ts";
import type { CallDeps } from "../call-deps.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";

export const signedOut = { reason: "signed-out", sip: null, q850: 16 } as const;

/** Ends the calls of a person who left the organisation, became an analyst or signed out everywhere. */
export async function endCallsOfRemovedUsers(deps: CallDeps, userId: string): Promise<void> {
  for (const live of deps.liveCalls.all().filter((call) => call.userId === userId)) {
    const mayTalk = await isHere(deps, live).catch((error: unknown) => {
      deps.log.warn({ err: error, callSid: live.callSid }, "whether a caller is still here could not be read");
      return true;
    });
    if (!mayTalk) await endCall(deps, live, signedOut);
  }
}

async function isHere({ database }: CallDeps, { organisationId, userId, line }: LiveCall): Promise<boolean> {
  if (!(await mayTakeCalls(database, { organisationId, userId }))) return false;
  // A call whose two far ends were connected to each other continues without the person.
  if (line === null) return true;
  const scope = { system: "whether a user who has just logged out is signed in elsewhere" };
  return database.withTransaction(scope, async (tx) => (await listSignedInPeople(tx, [userId])).has(userId));
}
