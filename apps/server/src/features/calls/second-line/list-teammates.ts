import type { Teammate } from "@leadline/contract/transfers";
import type { Member } from "../../../http/route.ts";
import { scopeOf } from "../../../http/scope-of.ts";
import { listMembers } from "../../members/list-members.ts";
import type { CallDeps } from "../call-deps.ts";
import { peopleOnLine } from "../running-calls.table.ts";

export async function listTeammates(deps: CallDeps, caller: Member): Promise<Teammate[]> {
  const organisationId = caller.organisation.id;
  const [members, onLine] = await Promise.all([
    listMembers(deps.database, caller),
    deps.database.withTransaction(scopeOf(caller), (tx) => peopleOnLine(tx, organisationId)),
  ]);
  const present = deps.presence.peopleIn(organisationId);
  return members
    .filter(({ userId, role }) => userId !== caller.userId && role !== "analyst")
    .map(({ userId, firstName, lastName }) => ({
      userId,
      firstName,
      lastName,
      presence: onLine.has(userId) || deps.presence.isBusy(userId) ? "in-call" : present.has(userId) ? "free" : "away",
    }));
}
