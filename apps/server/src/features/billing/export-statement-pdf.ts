import type { EntryKind, StatementEntry } from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { newDocument, pageMargin, type PdfDocument, softInk } from "../../pdf/new-document.ts";
import { inDollars } from "../../in-dollars.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { clockOf, timeZoneOf } from "../organisations/time-zone.ts";
import { selectEntries } from "./entries.table.ts";
import { type AskedOfEntries, periodFileName, periodName, toEntriesAsked } from "./list-statement-entries.ts";

/** About 80 pages, which occupy the API's thread for a second in total. */
const maxEntries = 2_000;
const entriesAtOnce = 50;

export async function exportStatementPdf(
  database: Database,
  { organisation, userId }: Member,
  asked: AskedOfEntries & { month: string },
): Promise<FileAnswer> {
  const organisationId = organisation.id;
  const { entries, name, timeZone } = await database.readInTransaction({ userId, organisationId }, async (tx) => ({
    entries: await selectEntries(tx, toEntriesAsked(organisationId, asked), { before: null, limit: maxEntries + 1 }),
    name: (await requireOrganisation(tx, { userId, organisationId })).name,
    timeZone: await timeZoneOf(tx, organisationId),
  }));
  if (entries.length > maxEntries)
    throw new Problem(
      "statement-too-long",
      `This period has more than ${maxEntries.toLocaleString("en-US")} entries. Choose a shorter one, or a kind of entry. The CSV has no limit.`,
    );
  const period = periodName(asked);
  const document = newDocument(`Statement ${period}`);
  document.font("bold").fontSize(20).text(`Statement ${period}`).font("regular").fontSize(10);
  document.fillColor(softInk).text(`${name}, US dollars, times in ${timeZone}`).fillColor("black").moveDown(1.5);
  // Yields to health checks and calls. An error ends the response, and the client gets a truncated file.
  writeAll(document, entries, clockOf(timeZone)).catch((error: unknown) =>
    document.destroy(error instanceof Error ? error : undefined),
  );
  return { name: periodFileName(asked, "pdf"), mediaType: "application/pdf", content: document };
}

async function writeAll(
  document: PdfDocument,
  entries: readonly StatementEntry[],
  onClock: (timestamp: string) => string,
): Promise<void> {
  writeRow(document, ["Time", "Entry", "Amount", "After it"], "bold");
  if (entries.length === 0) document.text("No entries.");
  for (const [index, entry] of entries.entries()) {
    if (index % entriesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    const what = entry.phoneNumber === null ? kindNames[entry.kind] : `${kindNames[entry.kind]}, ${entry.phoneNumber}`;
    writeRow(
      document,
      [onClock(entry.postedAt), what, inDollars(entry.amountMicros), inDollars(entry.runningMicros)],
      "regular",
    );
  }
  document.end();
}

const kindNames: Record<EntryKind, string> = {
  call: "Call",
  correction: "Cost correction",
  number: "Phone number",
  "top-up": "Top-up",
  refund: "Refund",
  chargeback: "Chargeback",
  adjustment: "Adjustment",
};

const columns = [
  { x: 0, width: 130, align: "left" },
  { x: 135, width: 180, align: "left" },
  { x: 315, width: 80, align: "right" },
  { x: 400, width: 83, align: "right" },
] as const;
const rowHeight = 20;

function writeRow(document: PdfDocument, cells: readonly string[], font: "bold" | "regular"): void {
  if (document.y + rowHeight > document.page.height - pageMargin) document.addPage();
  const { y } = document;
  document.font(font).fontSize(9);
  for (const [index, { x, width, align }] of columns.entries())
    document.text(cells[index] ?? "", pageMargin + x, y, { width, align, lineBreak: false, ellipsis: true });
  document.x = pageMargin;
  document.y = y + rowHeight;
}
