import type { Readable } from "node:stream";
import { stringify } from "csv-stringify";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { everyLead } from "../leads/every-lead.ts";

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

/** Streamed, a thousand leads a transaction; the first bytes tell Excel that it is UTF-8. */
export function exportLeads(database: Database, caller: Member): FileAnswer {
  const stringifier = stringify({ header: true, columns, escape_formulas: true, bom: true });
  const content: Readable = stringifier;
  void fill(database, caller, stringifier).catch((error: Error) => stringifier.destroy(error));
  return { name: `leads-${new Date().toISOString().slice(0, 10)}.csv`, mediaType: "text/csv; charset=utf-8", content };
}

async function fill(database: Database, caller: Member, stringifier: ReturnType<typeof stringify>): Promise<void> {
  for await (const lead of everyLead(database, caller)) {
    if (stringifier.destroyed) return;
    if (!stringifier.write(lead)) await drained(stringifier);
  }
  stringifier.end();
}

/** Also where the reader goes away. */
const drained = (stream: ReturnType<typeof stringify>): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.once("drain", done).once("close", done);
  });
