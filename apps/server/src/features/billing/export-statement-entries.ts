import { pipeline, Readable } from "node:stream";
import type { StatementEntry } from "@leadline/contract/billing";
import { stringify } from "csv-stringify";
import { harmlessCells } from "../../csv/escape-formula.ts";
import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { clockOf, timeZoneOf } from "../organisations/time-zone.ts";
import { selectEntries } from "./entries.table.ts";
import { type AskedOfEntries, periodFileName, toEntriesAsked } from "./list-statement-entries.ts";

const entriesAPage = 1_000;

/**
 * Streams a thousand entries per transaction. Times are in the organisation’s time zone, as the period is. Starts with a
 * byte order mark, so that Excel reads UTF-8.
 */
export async function exportStatementEntries(
  database: Database,
  caller: Member,
  asked: AskedOfEntries,
): Promise<FileAnswer> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const which = toEntriesAsked(organisationId, asked);
  const timeZone = await database.readInTransaction(scope, (tx) => timeZoneOf(tx, organisationId));
  const onClock = clockOf(timeZone);

  async function* everyEntry(): AsyncGenerator<StatementEntry> {
    for (let before: number | null = null; ;) {
      const page = { before, limit: entriesAPage };
      const entries: StatementEntry[] = await database.readInTransaction(scope, (tx) => selectEntries(tx, which, page));
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined || entries.length < entriesAPage) return;
      before = last.id;
    }
  }

  const toLine = ({ amountMicros, runningMicros, ...entry }: StatementEntry) => ({
    ...entry,
    time: onClock(entry.postedAt),
    // As numbers, because text that starts with a minus sign is escaped as a formula.
    amount: amountMicros / 1_000_000,
    running: runningMicros / 1_000_000,
  });
  const columns = [
    { key: "time", header: `Time (${timeZone})` },
    { key: "kind", header: "Kind" },
    { key: "phoneNumber", header: "Number" },
    { key: "userName", header: "Who" },
    { key: "account", header: "Account" },
    { key: "amount", header: "Amount (USD)" },
    { key: "running", header: "After it (USD)" },
    { key: "callSid", header: "Call" },
  ];
  const stringifier = stringify({ ...harmlessCells, header: true, columns, bom: true });
  // An error at either end ends the other; a client still connected gets a truncated file.
  pipeline(Readable.from(everyEntry()).map(toLine), stringifier, () => {});
  return { name: periodFileName(asked, "csv"), mediaType: "text/csv; charset=utf-8", content: stringifier };
}
