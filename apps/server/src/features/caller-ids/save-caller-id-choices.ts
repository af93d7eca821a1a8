import type { CallerIds } from "@leadline/contract/caller-ids";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { readVerifiedNumbers } from "../carriers/caller-id/read-verified-numbers.ts";
import { readOwnNumbers } from "../numbers/read-own-numbers.ts";
import { publishNumbersChanged } from "../numbers/settle-order.ts";
import { setLocalPresence, setMemberDefault } from "./caller-id-choices.table.ts";
import { findCandidates } from "./find-candidates.ts";
import { type CallerIdDeps, findDialled, readNow, scopeOf } from "./read-caller-ids.ts";

/** Sets the caller's own default. A number that only a backup carrier shows can be chosen too. */
export async function chooseDefaultCallerId(
  deps: CallerIdDeps,
  caller: Member,
  number: string | null,
): Promise<CallerIds> {
  const via = await findDialled(deps, caller);
  const who = scopeOf(caller);
  const { organisationId } = who;
  return deps.database.withTransaction(who, async (tx) => {
    if (number !== null) {
      const connectionId = via.connection?.id ?? null;
      const known = [
        ...(await findCandidates(tx, { organisationId, via })),
        ...(await readVerifiedNumbers(tx, { organisationId, connectionId })),
      ].map((each) => each.number);
      if (![...known, ...(await readOwnNumbers(tx, organisationId))].includes(number)) throw notOurs("number", number);
    }
    await setMemberDefault(tx, who, number);
    await publishNumbersChanged(tx, organisationId);
    return readNow(tx, { caller, via, to: null });
  });
}

export async function changeLocalPresence(deps: CallerIdDeps, caller: Member, enabled: boolean): Promise<CallerIds> {
  const via = await findDialled(deps, caller);
  return deps.database.withTransaction(scopeOf(caller), async (tx) => {
    await setLocalPresence(tx, caller.organisation.id, enabled);
    await publishNumbersChanged(tx, caller.organisation.id);
    return readNow(tx, { caller, via, to: null });
  });
}

export const notOurs = (field: string, number: string) =>
  invalidInput([
    { path: [field], message: `Your calls can’t show ${number}. Choose a number that your organisation has.` },
  ]);
