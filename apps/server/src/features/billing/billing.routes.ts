import * as contract from "@leadline/contract/billing";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import type { AlertOwners } from "../members/alert-owners.ts";
import { exportStatementEntries } from "./export-statement-entries.ts";
import { exportStatementPdf } from "./export-statement-pdf.ts";
import { exportStatement } from "./export-statement.ts";
import { listStatementEntries, readBillingSummary } from "./list-statement-entries.ts";
import { setBillingMode } from "./set-billing-mode.ts";
import { readStatement } from "./read-statement.ts";

export function billingRoutes(deps: { database: Database; alertOwners: AlertOwners }): Route[] {
  const { database } = deps;
  return [
    route(contract.readStatement, ({ caller, query }) => readStatement(database, caller, query.month ?? null)),
    route(contract.readBillingSummary, ({ caller }) => readBillingSummary(database, caller)),
    route(contract.setBillingMode, ({ caller, body }) => setBillingMode(deps, caller, body)),
    route(contract.listStatementEntries, ({ caller, query }) => listStatementEntries(database, caller, query)),
    route(contract.exportStatementEntries, ({ caller, query }) => exportStatementEntries(database, caller, query)),
    route(contract.exportStatementPdf, ({ caller, query }) => exportStatementPdf(database, caller, query)),
    route(contract.exportStatement, ({ caller, query }) => exportStatement(database, caller, query.month ?? null)),
  ];
}
