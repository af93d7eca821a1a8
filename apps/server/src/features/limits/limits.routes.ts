import * as contract from "@leadline/contract/limits";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { listBreaches } from "./breaches/list-breaches.ts";
import { changeLimits, changeMemberLimits, getLimits, listMemberLimits } from "./change-limits.ts";

export function limitRoutes({ database }: { database: Database }): Route[] {
  return [
    route(contract.getLimits, ({ caller }) => getLimits(database, caller)),
    route(contract.updateLimits, ({ caller, body }) => changeLimits(database, caller, body)),
    route(contract.listMemberLimits, ({ caller }) => listMemberLimits(database, caller)),
    route(contract.updateMemberLimits, ({ caller, params, body }) =>
      changeMemberLimits(database, caller, { userId: params.userId, change: body }),
    ),
    route(contract.listLimitBreaches, ({ caller }) => listBreaches(database, caller)),
  ];
}
