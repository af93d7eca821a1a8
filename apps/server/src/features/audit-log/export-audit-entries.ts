import { pipeline, Readable } from "node:stream";
import type { AuditChange, AuditEntry } from "@leadline/contract/audit-log";
import { stringify } from "csv-stringify";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { selectAuditEntries } from "./audit-log.table.ts";
import { type AuditQuery, peopleIn } from "./list-audit-entries.ts";

const entriesAPage = 500;

const columns = [
  { key: "at", header: "Time (UTC)" },
  { key: "userName", header: "Who" },
  { key: "action", header: "Action" },
  { key: "kind", header: "Kind" },
  { key: "subject", header: "Subject" },
  { key: "subjectId", header: "Subject ID" },
  { key: "operation", header: "Change" },
  { key: "before", header: "Before" },
  { key: "after", header: "After" },
  { key: "address", header: "Address" },
  { key: "userAgent", header: "Browser" },
  { key: "requestId", header: "Request" },
];

/** Streams one line per change. Starts with a byte order mark, so that Excel reads UTF-8. */
export function exportAuditEntries(database: Database, caller: Member, asked: AuditQuery): FileAnswer {
  const which = { organisationId: caller.organisation.id, ...asked };

  async function* everyLine() {
    for (let before: number | null = null; ;) {
      const page = { before, limit: entriesAPage };
      const { entries, people }: { entries: AuditEntry[]; people: Record<string, string> } =
        await database.readInTransaction(scopeOf(caller), async (tx) => {
          const found = await selectAuditEntries(tx, which, page);
          return { entries: found, people: await peopleIn(tx, found) };
        });
      for (const { changes, ...entry } of entries)
        for (const { before: was, after, ...change } of changes)
          yield { ...entry, ...change, before: cell(was, people), after: cell(after, people) };
      const last = entries.at(-1);
      if (last === undefined || entries.length < entriesAPage) return;
      before = last.id;
    }
  }

  const stringifier = stringify({ ...harmlessCells, header: true, columns, bom: true });
  // An error at either end ends the other; a client still connected gets a truncated file.
  pipeline(Readable.from(everyLine()), stringifier, () => {});
  return { name: "audit-log.csv", mediaType: "text/csv; charset=utf-8", content: stringifier };
}

/** As JSON, with members by name. */
const cell = (values: AuditChange["before"], people: Record<string, string>): string =>
  values ? JSON.stringify(values, (_key, value: unknown) => people[String(value)] ?? value) : "";
