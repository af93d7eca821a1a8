import type { Tx } from "../../../db/transaction.ts";
import type { AlertOwners } from "../../members/alert-owners.ts";
import { lockNumbers, type NumberOrder } from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { leaveAccount, selectOfAccount } from "./account-numbers.table.ts";

/**
 * Called in the transaction that removes an account: its numbers stay at the vendor and are deleted here. Owners are
 * mailed which orders and releases Leadline no longer follows.
 */
export async function leaveAccountNumbers(
  alertOwners: AlertOwners,
  tx: Tx,
  { organisationId, id, vendorName }: { organisationId: string; id: string; vendorName: string },
): Promise<void> {
  await lockNumbers(tx, organisationId);
  const all = await selectOfAccount(tx, { organisationId, accountId: id });
  await leaveAccount(tx, { organisationId, accountId: id });
  await publishNumbersChanged(tx, organisationId);
  const sentences = sentencesFor(all, vendorName);
  if (sentences.length === 0) return;
  const mail = {
    subject: `Numbers left in your ${vendorName} account`,
    sentences,
    page: "/settings/carriers",
  } as const;
  await alertOwners(tx, { organisation: { id: organisationId }, userId: null }, mail);
}

function sentencesFor(orders: readonly NumberOrder[], vendor: string): string[] {
  const inState = (wanted: NumberOrder["state"]): string | null => {
    const numbers = orders.filter(({ state }) => state === wanted).map(({ number }) => number);
    return numbers.length === 0 ? null : new Intl.ListFormat("en").format(numbers);
  };
  const [releasing, buying] = [inState("releasing"), inState("buying")];
  return [
    releasing !== null &&
      `${vendor} hadn’t confirmed the release of ${releasing} when the account was disconnected, and Leadline no longer tries. What wasn’t released stays in that account and costs money there. Release it at ${vendor}.`,
    buying !== null &&
      `${vendor} was still working on the order of ${buying}, which Leadline no longer follows. What is delivered stays in that account and costs money there. If you don’t need it, cancel the order or release the number at ${vendor}.`,
  ].filter((sentence) => sentence !== false);
}
