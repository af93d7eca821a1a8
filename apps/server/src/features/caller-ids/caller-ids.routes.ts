import * as contract from "@leadline/contract/caller-ids";
import { type Route, route } from "../../http/route.ts";
import { type CallerIdDeps, readCallerIds } from "./read-caller-ids.ts";
import { changeLocalPresence, chooseDefaultCallerId } from "./save-caller-id-choices.ts";

export const callerIdRoutes = (deps: CallerIdDeps): Route[] => [
  route(contract.readCallerIds, ({ caller, query }) => readCallerIds(deps, caller, query.phoneNumber ?? null)),
  route(contract.chooseDefaultCallerId, ({ caller, body }) => chooseDefaultCallerId(deps, caller, body.number)),
  route(contract.changeLocalPresence, ({ caller, body }) => changeLocalPresence(deps, caller, body.enabled)),
];
