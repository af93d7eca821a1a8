import * as contract from "@leadline/contract/lead-views";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { deleteLeadView, listLeadViews, saveLeadView } from "./save-lead-view.ts";

export const leadViewRoutes = ({ database }: { database: Database }): Route[] => [
  route(contract.listLeadViews, ({ caller }) => listLeadViews(database, caller)),
  route(contract.saveLeadView, ({ caller, body }) => saveLeadView(database, caller, body)),
  route(contract.deleteLeadView, async ({ caller, params }) => {
    await deleteLeadView(database, caller, params.id);
    return undefined;
  }),
];
