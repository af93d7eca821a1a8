import * as contract from "@leadline/contract/lead-changes";
import { type Route, route } from "../../http/route.ts";
import { changeLeads, type LeadChangeDeps, listLeadChanges } from "./change-leads.ts";
import { undoLeadChange } from "./undo-lead-change.ts";

export const leadChangeRoutes = (deps: LeadChangeDeps): Route[] => [
  route(contract.changeLeads, ({ caller, body }) => changeLeads(deps, caller, body)),
  route(contract.listLeadChanges, ({ caller }) => listLeadChanges(deps.database, caller)),
  route(contract.undoLeadChange, ({ caller, params }) => undoLeadChange(deps, caller, params.id)),
];
