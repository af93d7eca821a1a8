import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { findReceipt } from "./receipts.table.ts";
import { receiptFileName, writeReceipt } from "./write-receipt.ts";

export async function downloadReceipt(
  database: Database,
  { organisation, userId }: Member,
  topUpId: string,
): Promise<FileAnswer> {
  const organisationId = organisation.id;
  const receipt = await database.readInTransaction({ userId, organisationId }, (tx) =>
    findReceipt(tx, { organisationId, topUpId }),
  );
  if (!receipt) throw new Problem("not-found", "Receipt not found. A top-up has one once it is paid.");
  return { name: receiptFileName(receipt), mediaType: "application/pdf", content: writeReceipt(receipt) };
}
