import * as contract from "@leadline/contract/limits";
import { type Route, route } from "../../http/route.ts";
import { listBreaches } from "./breaches/list-breaches.ts";
import { changeLimits, changeMemberLimits, getLimits, type LimitDeps, listMemberLimits } from "./change-limits.ts";

export function limitRoutes(deps: LimitDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.getLimits, ({ caller }) => getLimits(database, caller)),
    route(contract.updateLimits, ({ caller, body }) => changeLimits(deps, caller, body)),
    route(contract.listMemberLimits, ({ caller }) => listMemberLimits(database, caller)),
    route(contract.updateMemberLimits, ({ caller, params, body }) =>
      changeMemberLimits(deps, caller, { userId: params.userId, change: body }),
    ),
    route(contract.listLimitBreaches, ({ caller }) => listBreaches(database, caller)),
  ];
}
