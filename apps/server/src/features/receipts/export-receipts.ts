import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { streamZip, type ZipEntry } from "../../zip/stream-zip.ts";
import { type Receipt, selectReceipts } from "./receipts.table.ts";
import { receiptFileName, writeReceipt } from "./write-receipt.ts";

/** Each receipt is written when the ones before it have been sent. */
export async function exportReceipts(database: Database, { organisation, userId }: Member): Promise<FileAnswer> {
  const organisationId = organisation.id;
  const receipts = await database.readInTransaction({ userId, organisationId }, (tx) =>
    selectReceipts(tx, organisationId),
  );
  if (receipts.length === 0) throw new Problem("not-found", "There are no receipts. A top-up has one once it is paid.");
  return { name: "receipts.zip", mediaType: "application/zip", content: streamZip(entriesOf(receipts)) };
}

function* entriesOf(receipts: readonly Receipt[]): Generator<ZipEntry> {
  for (const receipt of receipts) yield { name: receiptFileName(receipt), content: writeReceipt(receipt) };
}
