import type { PaymentReport, CurrentPayment } from "@leadline/adapter-kit/payment";
import { z } from "zod";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Tx } from "../../db/transaction.ts";
import { postPayment } from "../ledger/post-payment.ts";
import type { Seller } from "../../invoice-settings.ts";
import { issueReceipt } from "../receipts/issue-receipt.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { pauseAutomatic, saveMethod } from "./automatic/balance-settings.table.ts";
import type { TopUpDeps } from "./top-up-deps.ts";
import {
  changeTopUp,
  findOrganisationOfTopUp,
  findTopUp,
  insertReport,
  type StoredTopUp,
  type TopUpKey,
} from "./top-ups.table.ts";

/**
 * Reads a top-up's current state from the provider, and posts the differences to the ledger. Reports only trigger this,
 * so their order and number don't matter.
 */
export async function settleTopUp(deps: TopUpDeps, key: TopUpKey, eventId: string | null = null): Promise<void> {
  const scope = { organisationId: key.organisationId };
  for (;;) {
    const topUp = await deps.database.withTransaction(scope, (tx) => findTopUp(tx, key));
    const payment = topUp && deps.payments.find(topUp.provider);
    if (!topUp || !payment || topUp.checkoutId === null) return;
    const current = await payment.provider.readPayment(topUp.checkoutId);
    // A paid top-up stays paid. Money goes back by refunds and chargebacks.
    if (topUp.state === "paid" && current.state !== "paid")
      throw new Error(`the provider says that the paid top-up ${topUp.id} is ${current.state}`);
    const applied = await deps.database
      .withTransaction(scope, (tx) =>
        asLeadline(tx, "top-up.settled", () =>
          apply(tx, topUp, {
            current,
            eventId,
            seller: deps.seller,
            isSandbox: !payment.provider.movesMoney,
          }),
        ),
      )
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof ChangedMeanwhile) return false;
          throw error;
        },
      );
    if (applied) return;
  }
}

class ChangedMeanwhile extends Error {}

interface Applied {
  current: CurrentPayment;
  eventId: string | null;
  seller: Seller;
  isSandbox: boolean;
}

async function apply(tx: Tx, topUp: StoredTopUp, { current, eventId, seller, isSandbox }: Applied): Promise<void> {
  if (eventId !== null && !(await insertReport(tx, topUp, eventId))) return;
  const { state, paidMicros, refundedMicros, chargedBackMicros } = current;
  const method = current.method ?? topUp.method;
  const credit = paidMicros - topUp.paidMicros;
  const refund = refundedMicros - topUp.refundedMicros;
  const chargeback = chargedBackMicros - topUp.chargedBackMicros;
  // Even if nothing has changed: an earlier reading must not be applied after this one.
  if (!(await changeTopUp(tx, topUp, { state, paidMicros, refundedMicros, chargedBackMicros, method })))
    throw new ChangedMeanwhile();
  if (state === topUp.state && credit === 0 && refund === 0 && chargeback === 0) return;
  const { organisationId, id, version, description } = topUp;
  if (topUp.paidMicros === 0 && paidMicros > 0) {
    await issueReceipt(tx, seller, {
      organisationId,
      topUpId: id,
      description,
      amountMicros: paidMicros,
      method,
      isSandbox,
    });
    // Not for later changes: the organisation may have replaced or removed the method since.
    if (topUp.savesMethod && current.savedMethod !== null)
      await saveMethod(tx, organisationId, { provider: topUp.provider, id: current.savedMethod, name: method });
  }
  const key = `top-up:${id}`;
  await postPayment(tx, { organisationId, key, kind: "top-up", micros: credit });
  await postPayment(tx, { organisationId, key: `${key}:refund:${version}`, kind: "refund", micros: -refund });
  await postPayment(tx, {
    organisationId,
    key: `${key}:chargeback:${version}`,
    kind: "chargeback",
    micros: -chargeback,
  });
  if (topUp.savedMethod !== null && (state === "declined" || state === "expired"))
    await pauseAutomatic(tx, organisationId, "The saved payment method was declined.");
  // Otherwise the same card would at once refill the balance that this lowers.
  if (refund > 0 || chargeback > 0) await pauseAutomatic(tx, organisationId, "A payment was refunded or disputed.");
  await publishLiveEvent(tx, { organisationId, type: "billing.changed", data: {} });
}

/** An unknown reference is somebody else's payment at the same provider. */
export async function receiveReport(deps: TopUpDeps, { eventId, reference }: PaymentReport): Promise<void> {
  if (!z.uuid().safeParse(reference).success) return;
  const scope = { system: "a payment provider's report names only the top-up" };
  const organisationId = await deps.database.withTransaction(scope, (tx) => findOrganisationOfTopUp(tx, reference));
  if (organisationId !== undefined) await settleTopUp(deps, { organisationId, id: reference }, eventId);
}
