import * as contract from "@leadline/contract/lead-conflicts";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { countEveryConflict, keepSeparate, listConflicts } from "./list-conflicts.ts";
import { listLeadMerges, mergeLeads, undoLeadMerge } from "./merge-leads.ts";

export const leadConflictRoutes = ({ database }: { database: Database }): Route[] => [
  route(contract.listLeadConflicts, async ({ caller, query, reply }) => {
    const { conflicts, next } = await listConflicts(database, { caller, query });
    if (next !== null) reply.header("link", `</api/v1/lead-conflicts?${next}>; rel="next"`);
    return conflicts;
  }),
  route(contract.countLeadConflicts, ({ caller }) => countEveryConflict(database, caller)),
  route(contract.keepLeadsSeparate, async ({ caller, body }) => {
    await keepSeparate(database, caller, body);
    return undefined;
  }),
  route(contract.mergeLeads, ({ caller, body }) => mergeLeads(database, caller, body)),
  route(contract.listLeadMerges, ({ caller }) => listLeadMerges(database, caller)),
  route(contract.undoLeadMerge, async ({ caller, params }) => {
    await undoLeadMerge(database, caller, params.id);
    return undefined;
  }),
];
