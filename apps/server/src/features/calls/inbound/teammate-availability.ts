import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import { mayTakeCalls } from "../../members/list-members.ts";
import type { CallDeps } from "../call-deps.ts";

/** Which members have Leadline open, and which of those are neither on a call nor being rung by a teammate. */
export function readAvailability(
  { presence }: Pick<CallDeps, "presence">,
  organisationId: string,
): { present: ReadonlySet<string>; free: ReadonlySet<string> } {
  const present = presence.peopleIn(organisationId);
  return { present, free: new Set([...present].filter((userId) => !presence.isBusy(userId))) };
}

/** The members whom a teammate is calling, or sending a call to, in this process. */
export function listRungDirectly({
  liveCalls,
  ringingCalls,
}: Pick<CallDeps, "liveCalls" | "ringingCalls">): Set<string> {
  const sent = liveCalls
    .all()
    .flatMap(({ status, transfer }) => (isLive(status) && transfer?.underWay ? [transfer.memberId] : []));
  const called = ringingCalls.all().map(({ memberId }) => memberId);
  return new Set([...sent, ...called].filter((userId) => userId !== null));
}

/** Throws a problem if the teammate can't be rung now. */
export async function refuseUnavailable(
  deps: CallDeps,
  { organisationId, userId, own }: { organisationId: string; userId: string; own: string },
): Promise<void> {
  if (userId === own || !(await mayTakeCalls(deps.database, { organisationId, userId })))
    throw new Problem("not-found", "Teammate not found.");
  const { present, free } = readAvailability(deps, organisationId);
  if (!present.has(userId))
    throw new Problem("teammate-unavailable", "They don’t have Leadline open. Choose someone else, or a phone number.");
  if (!free.has(userId)) throw new Problem("teammate-unavailable", "They’re on a call. Try again later.");
}
