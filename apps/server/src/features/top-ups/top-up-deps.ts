import type { TopUp } from "@leadline/contract/top-ups";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { toReceiptNumber } from "../receipts/to-receipt-number.ts";
import type { Seller } from "../../invoice-settings.ts";
import type { OpenPayments } from "./open-payments.ts";
import type { StoredTopUp } from "./top-ups.table.ts";

/** What this feature's verbs depend on. */
export interface TopUpDeps {
  database: Database;
  payments: OpenPayments;
  /** Shown on receipts. */
  seller: Seller;
  log: Log;
}

export function toTopUp({ payments }: Pick<TopUpDeps, "payments">, stored: StoredTopUp): TopUp {
  const { id, amountMicros, state, refundedMicros, chargedBackMicros, method, userName, createdAt, paidAt } = stored;
  const isAutomatic = stored.savedMethod !== null;
  const payment = payments.find(stored.provider);
  return {
    id,
    amountMicros,
    state: state === "starting" ? "open" : state,
    checkoutUrl: state === "open" || (state === "paid" && payment?.provider.checkoutStays) ? stored.checkoutUrl : null,
    refundedMicros,
    chargedBackMicros,
    method,
    providerName: payment?.module.name ?? stored.provider,
    isSandbox: payment !== undefined && !payment.provider.movesMoney,
    receiptNumber: stored.receiptNumber === null ? null : toReceiptNumber(stored.organisationId, stored.receiptNumber),
    isAutomatic,
    userName,
    createdAt,
    paidAt,
  };
}
