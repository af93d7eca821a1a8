import { type ImportDuplicate, maxListedDuplicates } from "@leadline/contract/lead-imports";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { selectDuplicates } from "./duplicates.table.ts";
import { exportRows } from "./export-rows.ts";
import { requireLeadImport } from "./read-lead-import.ts";

export async function listDuplicates(database: Database, caller: Member, id: string): Promise<ImportDuplicate[]> {
  const key = { id, organisationId: caller.organisation.id };
  return database.withTransaction(key, async (tx) => {
    await requireLeadImport(tx, key);
    const listed = await selectDuplicates(tx, key, { afterRow: 0, limit: maxListedDuplicates });
    return listed.map(({ row, name, matchedBy, lead, earlierRow, done }) => {
      return { row, name, matchedBy, lead, earlierRow, done };
    });
  });
}

export async function exportDuplicates(database: Database, caller: Member, id: string): Promise<FileAnswer> {
  const key = { id, organisationId: caller.organisation.id };
  const { file_name: fileName } = await database.withTransaction(key, (tx) => requireLeadImport(tx, key));
  return exportRows(`duplicates in ${fileName}.csv`, {
    header: ["Row", "Matches", "Result", "First name", "Last name", "Email", "Phone", "Status", "Call back on"],
    readPage: (page) => database.withTransaction(key, (tx) => selectDuplicates(tx, key, page)),
    toCells: (duplicate) => {
      const { firstName, lastName, email, phone, status, followUpOn } = duplicate.fields;
      const result = duplicate.done === "imported" ? "Imported" : "Left out";
      return [duplicate.row, matchWords(duplicate), result, firstName, lastName, email, phone, status, followUpOn];
    },
  });
}

function matchWords({ matchedBy, lead, earlierRow }: ImportDuplicate): string {
  const same = matchedBy === "phone-number" ? "Same phone number" : "Same name, email and phone";
  if (earlierRow !== null) return `${same} as row ${earlierRow}`;
  return `${same} as ${lead === null ? "a lead deleted since" : `the lead ${lead.firstName} ${lead.lastName}`.trim()}`;
}
