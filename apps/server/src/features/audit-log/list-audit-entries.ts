import type { AuditEntry, listAuditEntries as endpoint } from "@leadline/contract/audit-log";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { z } from "zod";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { scopeOf } from "../../http/scope-of.ts";
import type { Member } from "../../http/route.ts";
import { namesOfMembers, selectAuditEntries } from "./audit-log.table.ts";

const entriesAPage = 50;

export type AuditQuery = Omit<z.output<(typeof endpoint)["query"]>, "before">;

export function listAuditEntries(
  database: Database,
  caller: Member,
  { before, ...asked }: z.output<(typeof endpoint)["query"]>,
): Promise<ResponseOf<typeof endpoint>> {
  const which = { organisationId: caller.organisation.id, ...asked };
  return database.readInTransaction(scopeOf(caller), async (tx) => {
    const found = await selectAuditEntries(tx, which, { before: before ?? null, limit: entriesAPage + 1 });
    const entries = found.slice(0, entriesAPage);
    return { entries, people: await peopleIn(tx, entries), hasMore: found.length > entriesAPage };
  });
}

/** The names of the members whose ids occur among the values, such as a lead's owner. */
export function peopleIn(tx: Tx, entries: readonly AuditEntry[]): Promise<Record<string, string>> {
  const values = entries.flatMap(({ changes }) =>
    changes.flatMap(({ before, after }) => [...Object.values(before ?? {}), ...Object.values(after ?? {})]),
  );
  const ids = values.filter((value): value is string => typeof value === "string" && isUuid.test(value));
  return namesOfMembers(tx, [...new Set(ids)]);
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
