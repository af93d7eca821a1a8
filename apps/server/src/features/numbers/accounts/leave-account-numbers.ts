import type { Tx } from "../../../db/transaction.ts";
import { lockNumbers } from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { leaveAccount } from "./account-numbers.table.ts";

/** Called in the transaction that removes an account: its numbers stay at the vendor and are deleted here. */
export async function leaveAccountNumbers(
  tx: Tx,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<void> {
  await lockNumbers(tx, organisationId);
  await leaveAccount(tx, { organisationId, accountId: id });
  await publishNumbersChanged(tx, organisationId);
}
