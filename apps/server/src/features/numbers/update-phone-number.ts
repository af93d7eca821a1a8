import type { PhoneNumber, UpdatePhoneNumberInput } from "@leadline/contract/phone-numbers";
import type { z } from "zod";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { type NumberDeps, toPhoneNumber } from "./number-deps.ts";
import { makeCallerId } from "./caller-ids-of-numbers.table.ts";
import { findOrder, lockNumbers, setLabel } from "./phone-numbers.table.ts";
import { publishNumbersChanged } from "./settle-order.ts";

interface UpdatePhoneNumber {
  caller: Member;
  id: string;
  change: z.output<typeof UpdatePhoneNumberInput>;
}

export async function updatePhoneNumber(
  deps: NumberDeps,
  { caller, id, change }: UpdatePhoneNumber,
): Promise<PhoneNumber> {
  const organisationId = caller.organisation.id;
  const which = { organisationId, id };
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const before = await findOrder(tx, which);
    if (before?.state !== "owned") throw noSuchNumber();
    if (change.isCallerId === false && before.isCallerId) {
      const message = "Calls must show one of your numbers. Make another number the caller ID instead.";
      throw new Problem("invalid-input", message, { errors: [{ field: "isCallerId", message }] });
    }
    if (change.isCallerId && !before.isCallerId) await makeCallerId(tx, before);
    if (change.label !== undefined) await setLabel(tx, { ...which, label: change.label });
    const after = (await findOrder(tx, which)) ?? before;
    await publishNumbersChanged(tx, organisationId);
    return toPhoneNumber(deps, after);
  });
}

export const noSuchNumber = (): Problem => new Problem("not-found", "Number not found. It may have been released.");
