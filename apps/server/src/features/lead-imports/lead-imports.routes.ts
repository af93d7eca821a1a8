import * as contract from "@leadline/contract/lead-imports";
import { type Route, route } from "../../http/route.ts";
import { checkLeadImport } from "./check-lead-import.ts";
import { exportFailedRows } from "./export-failed-rows.ts";
import { exportLeads } from "./export-leads.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { exportDuplicates, listDuplicates } from "./list-duplicates.ts";
import { prepareLeadImport } from "./prepare-lead-import.ts";
import { deleteLeadImport, getLeadImport, listLeadImportErrors, listLeadImports } from "./read-lead-import.ts";
import { startLeadImport } from "./start-lead-import.ts";

export function leadImportRoutes(deps: LeadImportDeps): Route[] {
  return [
    route(contract.prepareLeadImport, ({ caller, files, gone }) =>
      prepareLeadImport(deps, caller, { file: files[0], gone }),
    ),
    route(contract.checkLeadImport, ({ caller, params, body }) =>
      checkLeadImport(deps, caller, { id: params.id, ...body }),
    ),
    route(contract.startLeadImport, ({ caller, params, body }) =>
      startLeadImport(deps, caller, { id: params.id, ...body }),
    ),
    route(contract.listLeadImports, ({ caller }) => listLeadImports(deps, caller)),
    route(contract.getLeadImport, ({ caller, params }) => getLeadImport(deps, caller, params.id)),
    route(contract.listLeadImportErrors, ({ caller, params }) => listLeadImportErrors(deps, caller, params.id)),
    route(contract.exportLeadImportErrors, ({ caller, params }) => exportFailedRows(deps.database, caller, params.id)),
    route(contract.listLeadImportDuplicates, ({ caller, params }) => listDuplicates(deps.database, caller, params.id)),
    route(contract.exportLeadImportDuplicates, ({ caller, params }) =>
      exportDuplicates(deps.database, caller, params.id),
    ),
    route(contract.deleteLeadImport, async ({ caller, params }) => {
      await deleteLeadImport(deps, caller, params.id);
      return undefined;
    }),
    route(contract.exportLeads, async ({ caller, query }) => exportLeads(deps.database, caller, query)),
  ];
}
