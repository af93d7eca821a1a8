import { randomUUID } from "node:crypto";
import type { NumberOrder as ApiNumberOrder } from "@leadline/contract/number-orders";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { networkOf, type NumberDeps } from "../number-deps.ts";
import { selectHoldersForOthers } from "../holders.table.ts";
import { lockNumbers } from "../phone-numbers.table.ts";
import { numberTaken, publishNumbersChanged } from "../settle-order.ts";
import { insertFound, selectOfAccount, setRingsElsewhere } from "./account-numbers.table.ts";
import { toApiOrder } from "./list-number-orders.ts";
import { toNumberProblem } from "./number-problem.ts";

/** Makes the number ring here. If the process is killed before that is stored, reconcileAccount finds it. */
export async function adoptNumber(
  deps: NumberDeps,
  { organisation, userId }: Member,
  { id, number, moves }: { id: string; number: string; moves: boolean },
): Promise<ApiNumberOrder> {
  const organisationId = organisation.id;
  const scope = { organisationId, userId };
  await deps.database.withTransaction(scope, async (tx) => {
    const known = await selectOfAccount(tx, { organisationId, accountId: id });
    const used = (await deps.accounts.list(tx, organisationId)).find((each) => each.id === id);
    if (!used || known.some((each) => each.number === number)) return;
    // Attached at the vendor, it would stop ringing where it is used.
    const [holder] = await selectHoldersForOthers(tx, networkOf(used), [number]);
    if (holder?.organisationId === organisationId)
      throw new Problem("number-taken", `You already have ${number}, at another account. It stays there.`);
    if (holder) throw numberTaken(number);
  });
  const { account, held } = await deps.accounts
    .use({ organisationId, id }, async (provisioner, used) => ({
      account: used,
      held: await provisioner.attach(number, used.trunk, { moves }),
    }))
    .catch((error: unknown) => {
      throw toNumberProblem(error);
    });
  const order = await deps.database.withTransaction(scope, async (tx) => {
    await lockNumbers(tx, organisationId);
    await deps.accounts.keepConnected(tx, { organisationId, id });
    const known = (await selectOfAccount(tx, { organisationId, accountId: id })).find((each) => each.number === number);
    const here = { ringsElsewhere: false, note: null };
    if (known) await setRingsElsewhere(tx, known, here);
    const { vendor: carrier, carrierId: connectionId, isSandbox: isOfSandbox } = account;
    const { monthlyCostMicros } = held;
    const ofAccount = { carrier, isOfSandbox, accountId: id, connectionId, monthlyCostMicros };
    const found = { id: randomUUID(), organisationId, number, ...ofAccount };
    const adopted = known ? { ...known, ...here } : await insertFound(tx, { ...found, note: null });
    await publishNumbersChanged(tx, organisationId);
    return adopted;
  });
  if (!order) throw numberTaken(number);
  return toApiOrder(deps, order);
}
