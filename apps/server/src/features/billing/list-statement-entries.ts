import type { ResponseOf } from "@leadline/contract/endpoint";
import type { BillingSummary, EntryKind, listStatementEntries as endpoint } from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { type EntriesAsked, selectEntries, selectSummary } from "./entries.table.ts";

const entriesAPage = 50;

export interface AskedOfEntries {
  month?: string | undefined;
  kind?: EntryKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const toEntriesAsked = (organisationId: string, { month, kind, from, to }: AskedOfEntries): EntriesAsked => ({
  organisationId,
  month: month ?? null,
  kind: kind ?? null,
  from: from ?? null,
  to: to ?? null,
});

/** For titles: 2026-03 from 2026-03-05 to 2026-03-10. Empty for everything. */
export const periodName = ({ month, from, to }: AskedOfEntries): string =>
  [month, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(" ");

export const periodFileName = (asked: AskedOfEntries, ending: "csv" | "pdf"): string =>
  `${`statement ${periodName(asked)}`.trim().replaceAll(" ", "-")}.${ending}`;

export async function listStatementEntries(
  database: Database,
  caller: Member,
  { before, ...given }: AskedOfEntries & { before?: number | undefined },
): Promise<ResponseOf<typeof endpoint>> {
  const asked = toEntriesAsked(caller.organisation.id, given);
  const page = { before: before ?? null, limit: entriesAPage + 1 };
  const scope = { userId: caller.userId, organisationId: caller.organisation.id };
  const entries = await database.readInTransaction(scope, (tx) => selectEntries(tx, asked, page));
  return { entries: entries.slice(0, entriesAPage), hasMore: entries.length > entriesAPage };
}

export const readBillingSummary = (database: Database, caller: Member): Promise<BillingSummary> =>
  database.readInTransaction({ userId: caller.userId, organisationId: caller.organisation.id }, (tx) =>
    selectSummary(tx, caller.organisation.id),
  );
