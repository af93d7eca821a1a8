import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import { escapeFormula } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { everyLead, type LeadChoice } from "../leads/every-lead.ts";

const columns = [
  { key: "firstName", header: "First name" },
  { key: "lastName", header: "Last name" },
  { key: "email", header: "Email" },
  { key: "phone", header: "Phone" },
  { key: "status", header: "Status" },
  { key: "followUpOn", header: "Follow up on" },
  { key: "createdAt", header: "Created" },
  { key: "id", header: "ID" },
];

/** Streamed, a thousand leads a transaction and a piece: a piece a row would cost more than its rows. */
export function exportLeads(database: Database, caller: Member, choice: LeadChoice): FileAnswer {
  const content = Readable.from(pieces(database, caller, choice), { objectMode: false });
  return { name: `leads-${new Date().toISOString().slice(0, 10)}.csv`, mediaType: "text/csv; charset=utf-8", content };
}

async function* pieces(database: Database, caller: Member, choice: LeadChoice): AsyncGenerator<string> {
  // The first bytes tell Excel that it is UTF-8.
  yield stringify([], { header: true, columns, bom: true });
  for await (const leads of everyLead(database, caller, choice))
    yield stringify(leads, { columns, cast: { string: escapeFormula } });
}
