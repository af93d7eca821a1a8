import type { ResponseOf } from "@leadline/contract/endpoint";
import type { BillingSummary, EntryKind, listStatementEntries as endpoint } from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import type { Member } from "../../http/route.ts";
import { selectEntries, selectSummary } from "./entries.table.ts";

const entriesAPage = 50;

export interface AskedOfEntries {
  month?: string | undefined;
  kind?: EntryKind | undefined;
  before?: number | undefined;
}

export async function listStatementEntries(
  database: Database,
  caller: Member,
  { month, kind, before }: AskedOfEntries,
): Promise<ResponseOf<typeof endpoint>> {
  const asked = { organisationId: caller.organisation.id, month: month ?? null, kind: kind ?? null };
  const page = { before: before ?? null, limit: entriesAPage + 1 };
  const scope = { userId: caller.userId, organisationId: caller.organisation.id };
  const entries = await database.readInTransaction(scope, (tx) => selectEntries(tx, asked, page));
  return { entries: entries.slice(0, entriesAPage), hasMore: entries.length > entriesAPage };
}

export const readBillingSummary = (database: Database, caller: Member): Promise<BillingSummary> =>
  database.readInTransaction({ userId: caller.userId, organisationId: caller.organisation.id }, (tx) =>
    selectSummary(tx, caller.organisation.id),
  );
