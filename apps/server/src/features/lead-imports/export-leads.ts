import { Readable } from "node:stream";
import type { Lead } from "@leadline/contract/leads";
import { stringify } from "csv-stringify/sync";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { everyLead, type LeadChoice } from "../leads/list/every-lead.ts";

const columns = [
  { key: "firstName", header: "First name" },
  { key: "lastName", header: "Last name" },
  { key: "email", header: "Email" },
  { key: "phone", header: "Phone" },
  { key: "company", header: "Company" },
  { key: "jobTitle", header: "Job title" },
  { key: "status", header: "Status" },
  { key: "owner.name", header: "Owner" },
  { key: "lastCalledAt", header: "Last call" },
  { key: "nextStep", header: "Next step" },
  { key: "followUpOn", header: "Call back on" },
  { key: "createdAt", header: "Created" },
  { key: "id", header: "ID" },
];

/**
 * Streams a thousand leads per transaction and chunk, because a chunk per row is slow. The first thousand are read
 * before the response starts, so that an invalid search is refused instead of truncating the file.
 */
export async function exportLeads(database: Database, caller: Member, choice: LeadChoice): Promise<FileAnswer> {
  const pages = everyLead(database, caller, choice);
  const first = await pages.next();
  const content = Readable.from(pieces(first.value ?? [], pages), { objectMode: false });
  return { name: `leads-${new Date().toISOString().slice(0, 10)}.csv`, mediaType: "text/csv; charset=utf-8", content };
}

const inCsv = (leads: readonly Lead[]): string => stringify([...leads], { ...harmlessCells, columns });

async function* pieces(first: readonly Lead[], rest: AsyncIterable<Lead[]>): AsyncGenerator<string> {
  // The first bytes are a BOM, which tells Excel that it is UTF-8.
  yield stringify([], { ...harmlessCells, header: true, columns, bom: true }) + inCsv(first);
  for await (const leads of rest) yield inCsv(leads);
}
