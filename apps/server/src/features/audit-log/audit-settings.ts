import type { AuditSettings } from "@leadline/contract/audit-log";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import { leadlineActions } from "../../db/audit-context.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { selectKeptDays, writeKeptDays } from "./audit-log.table.ts";

const actions = [
  ...new Set([
    ...leadlineActions,
    ...Object.values<Endpoint>(endpoints).flatMap(({ access, audit }) =>
      audit === null || access === "public" ? [] : [audit],
    ),
  ]),
].toSorted();

export const readAuditSettings = (database: Database, caller: Member): Promise<AuditSettings> =>
  database.readInTransaction(scopeOf(caller), (tx) => settingsOf(tx, caller));

export const updateAuditSettings = (database: Database, caller: Member, keptDays: number): Promise<AuditSettings> =>
  database.withTransaction(scopeOf(caller), async (tx) => {
    await writeKeptDays(tx, caller.organisation.id, keptDays);
    return settingsOf(tx, caller);
  });

const settingsOf = async (tx: Tx, caller: Member): Promise<AuditSettings> => ({
  keptDays: await selectKeptDays(tx, caller.organisation.id),
  actions,
});
