import * as contract from "@leadline/contract/audit-log";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { readAuditSettings, updateAuditSettings } from "./audit-settings.ts";
import { exportAuditEntries } from "./export-audit-entries.ts";
import { listAuditEntries } from "./list-audit-entries.ts";

export function auditLogRoutes({ database }: { database: Database }): Route[] {
  return [
    route(contract.listAuditEntries, ({ caller, query }) => listAuditEntries(database, caller, query)),
    route(contract.exportAuditEntries, async ({ caller, query }) => exportAuditEntries(database, caller, query)),
    route(contract.readAuditSettings, ({ caller }) => readAuditSettings(database, caller)),
    route(contract.updateAuditSettings, ({ caller, body }) => updateAuditSettings(database, caller, body.keptDays)),
  ];
}
