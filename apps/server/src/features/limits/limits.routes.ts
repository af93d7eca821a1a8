import * as contract from "@leadline/contract/limits";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { changeLimits, getLimits } from "./change-limits.ts";

export function limitRoutes({ database }: { database: Database }): Route[] {
  return [
    route(contract.getLimits, ({ caller }) => getLimits(database, caller)),
    route(contract.updateLimits, ({ caller, body }) => changeLimits(database, caller, body)),
  ];
}
