import type { Seller } from "../../invoice-settings.ts";
import type { Tx } from "../../db/transaction.ts";
import { findDetails, findName, insertReceipt } from "./receipts.table.ts";

interface Paid {
  organisationId: string;
  topUpId: string;
  description: string;
  amountMicros: number;
  method: string | null;
  isSandbox: boolean;
}

const microsACent = 10_000;

/** Call it in the transaction that credits the payment, so that each payment has exactly one receipt. */
export async function issueReceipt(tx: Tx, { lines, tax }: Seller, paid: Paid): Promise<void> {
  const details = await findDetails(tx, paid.organisationId);
  const name = details?.name || (await findName(tx, paid.organisationId));
  const buyer = [name, details?.address, details?.taxNumber && `Tax number: ${details.taxNumber}`]
    .filter(Boolean)
    .join("\n");
  const { amountMicros } = paid;
  await insertReceipt(tx, {
    ...paid,
    seller: lines.join("\n"),
    buyer,
    taxMicros: tax === null ? 0 : includedTax(amountMicros, tax.percent),
    taxName: tax === null ? null : `${tax.name} ${tax.percent}%`,
  });
}

/** In whole cents. */
export const includedTax = (amountMicros: number, percent: number): number =>
  Math.round((amountMicros * percent) / (100 + percent) / microsACent) * microsACent;
