import { type Provisioner, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { AlertOwners } from "../../members/alert-owners.ts";
import type { NumberDeps } from "../number-deps.ts";
import {
  deleteRefused,
  findOrder,
  lockNumbers,
  markOwned,
  markReleased,
  type NumberOrder,
} from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { selectOfAccount } from "./account-numbers.table.ts";
import { countFirstMonth } from "./settle-account-order.ts";

type Deps = Pick<NumberDeps, "database" | "runExclusively"> & { alertOwners: AlertOwners };

/**
 * Before an account is disconnected: cancels its open purchases and finishes its releases, so that no number costs money
 * there without anyone knowing. Owners are mailed how each purchase ended. May run again after a crash. Rejects with a
 * ProvisionerError if an order stays open.
 */
export async function endOpenOrders(
  deps: Deps,
  provisioner: Provisioner,
  { organisationId, id: accountId, vendorName }: { organisationId: string; id: string; vendorName: string },
): Promise<void> {
  const all = await deps.database.withTransaction({ organisationId }, (tx) =>
    selectOfAccount(tx, { organisationId, accountId }),
  );
  const stillOpen: string[] = [];
  for (const order of all.filter(({ state }) => state !== "owned")) {
    // Null: it is being ordered or released at this moment.
    const isOver = await deps.runExclusively(`number-order:${order.id}`, () =>
      endOrder(deps, { provisioner, vendorName }, order),
    );
    if (isOver !== true) stillOpen.push(order.number);
  }
  if (stillOpen.length > 0)
    throw new ProvisionerError(
      "refused",
      `${vendorName} is still working on ${new Intl.ListFormat("en").format(stillOpen)}, and doesn’t cancel that. Disconnect when it’s done, or cancel it at ${vendorName} first.`,
    );
}

/** False if the vendor goes on with it. */
async function endOrder(
  { database, alertOwners }: Deps,
  { provisioner, vendorName }: { provisioner: Pick<Provisioner, "cancel" | "release">; vendorName: string },
  given: NumberOrder,
): Promise<boolean> {
  const { organisationId, id, accountId } = given;
  const order = await database.withTransaction({ organisationId }, (tx) => findOrder(tx, given));
  if (order?.state === "releasing") {
    await provisioner.release(order.number);
    await database.withTransaction({ organisationId }, (tx) =>
      asLeadline(tx, "phone-number.released", () => markReleased(tx, order)),
    );
  }
  if (order?.state !== "buying") return true;
  const outcome = await provisioner.cancel({ number: order.number, reference: id });
  if (outcome === "pending") return false;
  await database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    // The audit log says that it was delivered. It leaves with the account.
    const owned =
      outcome === "bought" &&
      (await asLeadline(tx, "phone-number.bought", () =>
        markOwned(tx, { organisationId, id, accountId, monthlyCostMicros: null }),
      ));
    if (outcome === "canceled")
      await asLeadline(tx, "carrier-account.disconnected", () => deleteRefused(tx, { organisationId, id }));
    await publishNumbersChanged(tx, organisationId);
    const mail = mails[outcome](order.number, vendorName);
    await alertOwners(
      tx,
      { organisation: { id: organisationId }, userId: null },
      { ...mail, page: "/settings/carriers" },
    );
    if (owned) await countFirstMonth(tx, owned);
  });
  return true;
}

const mails = {
  canceled: (number: string, vendor: string) => ({
    subject: `The order of ${number} was cancelled`,
    sentences: [
      `${number} was still on order at ${vendor} when the account was disconnected, so the order was cancelled. The number wasn’t bought.`,
    ],
  }),
  bought: (number: string, vendor: string) => ({
    subject: `${number} stays in your ${vendor} account`,
    sentences: [
      `${number} was on order at ${vendor}, and was delivered before the account was disconnected. It stays in that account and costs money there, but isn’t used here.`,
      `If you don’t need it, release it at ${vendor}.`,
    ],
  }),
};
