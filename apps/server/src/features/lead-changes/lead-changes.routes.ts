import * as contract from "@leadline/contract/lead-changes";
import { deleteLead as deleteLeadEndpoint } from "@leadline/contract/leads";
import { type Route, route } from "../../http/route.ts";
import { changeLeads, type LeadChangeDeps, listLeadChanges } from "./change-leads.ts";
import { deleteLead } from "./delete-lead.ts";
import { undoLeadChange } from "./undo-lead-change.ts";

export const leadChangeRoutes = (deps: LeadChangeDeps): Route[] => [
  route(contract.changeLeads, ({ caller, body }) => changeLeads(deps, caller, body)),
  route(deleteLeadEndpoint, async ({ caller, params }) => {
    await deleteLead(deps.database, caller, params.id);
    return undefined;
  }),
  route(contract.listLeadChanges, ({ caller }) => listLeadChanges(deps.database, caller)),
  route(contract.undoLeadChange, ({ caller, params }) => undoLeadChange(deps, caller, params.id)),
];
