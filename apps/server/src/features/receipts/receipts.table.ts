import type { BillingDetails } from "@leadline/contract/receipts";
import { type Generated, type Selectable, sql } from "kysely";
import { toReceiptNumber } from "./to-receipt-number.ts";
import type { Tx } from "../../db/transaction.ts";

export interface BillingDetailsTable {
  organisation_id: string;
  name: string;
  address: string;
  tax_number: string;
}

export interface ReceiptTable {
  top_up_id: string;
  organisation_id: string;
  number: number;
  issued_at: Generated<string>;
  seller: string;
  buyer: string;
  description: string;
  /** Millionths of a US dollar, as in the rest of this file. */
  amount: number;
  tax: number;
  tax_name: string | null;
  method: string | null;
  is_sandbox: boolean;
}

export interface Receipt {
  number: string;
  issuedAt: string;
  seller: string;
  buyer: string;
  description: string;
  amountMicros: number;
  taxMicros: number;
  taxName: string | null;
  method: string | null;
  isSandbox: boolean;
}

const toReceipt = (row: Selectable<ReceiptTable>): Receipt => ({
  number: toReceiptNumber(row.organisation_id, row.number),
  issuedAt: row.issued_at,
  seller: row.seller,
  buyer: row.buyer,
  description: row.description,
  amountMicros: row.amount,
  taxMicros: row.tax,
  taxName: row.tax_name,
  method: row.method,
  isSandbox: row.is_sandbox,
});

export async function findDetails(tx: Tx, organisationId: string): Promise<BillingDetails | undefined> {
  return tx
    .selectFrom("billing_details")
    .select(["name", "address", "tax_number as taxNumber"])
    .where("organisation_id", "=", organisationId)
    .executeTakeFirst();
}

export async function putDetails(tx: Tx, organisationId: string, details: BillingDetails): Promise<void> {
  const { name, address, taxNumber: tax_number } = details;
  await tx
    .insertInto("billing_details")
    .values({ organisation_id: organisationId, name, address, tax_number })
    .onConflict((conflict) => conflict.column("organisation_id").doUpdateSet({ name, address, tax_number }))
    .execute();
}

/** Any organisation visible in the transaction. */
export async function findName(tx: Tx, organisationId: string): Promise<string> {
  const { name } = await tx
    .selectFrom("organisations")
    .select("name")
    .where("id", "=", organisationId)
    .executeTakeFirstOrThrow();
  return name;
}

export type NewReceipt = Omit<Receipt, "number" | "issuedAt"> & { organisationId: string; topUpId: string };

/** Uses the next number. Transactions take turns. */
export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { organisationId, topUpId, seller, buyer, description, amountMicros, taxMicros, taxName, method } = receipt;
  const { isSandbox } = receipt;
  await sql`select pg_advisory_xact_lock(hashtextextended('receipts:' || ${organisationId}, 0))`.execute(tx);
  await sql`
    insert into receipts (top_up_id, organisation_id, number, seller, buyer, description, amount, tax, tax_name, method,
      is_sandbox)
    select ${topUpId}::uuid, ${organisationId}::uuid, coalesce(max(number), 0) + 1, ${seller}, ${buyer}, ${description},
      ${amountMicros}, ${taxMicros}, ${taxName}, ${method}, ${isSandbox}
    from receipts where organisation_id = ${organisationId}`.execute(tx);
}

export async function findReceipt(
  tx: Tx,
  { organisationId, topUpId }: { organisationId: string; topUpId: string },
): Promise<Receipt | undefined> {
  const row = await tx
    .selectFrom("receipts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("top_up_id", "=", topUpId)
    .executeTakeFirst();
  return row && toReceipt(row);
}

/** In the order of their numbers. */
export async function selectReceipts(tx: Tx, organisationId: string): Promise<Receipt[]> {
  const rows = await tx
    .selectFrom("receipts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("number")
    .execute();
  return rows.map(toReceipt);
}
