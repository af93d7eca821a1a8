import { inDollars } from "../../in-dollars.ts";
import { newDocument, onDay, pageMargin, type PdfDocument, softInk } from "../../pdf/new-document.ts";
import type { Receipt } from "./receipts.table.ts";

export const receiptFileName = ({ number }: Receipt): string => `receipt-${number}.pdf`;

export function writeReceipt(receipt: Receipt): PdfDocument {
  const { number, issuedAt, seller, buyer, description, amountMicros, taxMicros, taxName, method } = receipt;
  const kind = taxName === null ? "Receipt" : "Invoice and receipt";
  const document = newDocument(`${kind} ${number}`);
  document.font("bold").fontSize(20).text(kind).font("regular").fontSize(10).moveDown(0.5);
  document
    .fillColor(softInk)
    .text(`Number ${number}`)
    .text(`${onDay(issuedAt)} (UTC)`)
    .fillColor("black")
    .moveDown(2);

  const top = document.y;
  const right = document.page.width / 2;
  const party = (title: string, lines: string, x: number) => {
    document.font("bold").text(title, x, top, { width: 220 }).font("regular");
    document.text(lines, { width: 220 });
    return document.y;
  };
  const ends = [party("From", seller || "The operator of this Leadline", pageMargin), party("To", buyer, right)];
  document.x = pageMargin;
  document.y = Math.max(...ends) + 32;

  line(document, "Description", "Amount (US$)", { bold: true });
  if (taxName !== null) {
    line(document, description, inDollars(amountMicros - taxMicros));
    line(document, taxName, inDollars(taxMicros));
  } else line(document, description, inDollars(amountMicros));
  line(document, "Total", inDollars(amountMicros), { bold: true });
  document.moveDown(1);
  document.text(`Paid on ${onDay(issuedAt)}${method === null ? "" : ` with ${method}`}.`);
  if (receipt.isSandbox) document.text("Sandbox payment: no money moved. This is no receipt for your accounts.");
  if (taxName === null) document.text("No tax is included.");
  document.end();
  return document;
}

function line(document: PdfDocument, left: string, right: string, { bold = false } = {}): void {
  const width = document.page.width - 2 * pageMargin;
  const { y } = document;
  document.font(bold ? "bold" : "regular").text(right, pageMargin, y, { width, align: "right" });
  document.text(left, pageMargin, y, { width: width - 140 }).font("regular");
  const below = document.y + 5;
  document
    .strokeColor("#d5ddd8")
    .moveTo(pageMargin, below)
    .lineTo(pageMargin + width, below)
    .stroke();
  document.x = pageMargin;
  document.y = below + 7;
}
