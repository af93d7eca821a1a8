import * as contract from "@leadline/contract/users";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { getUser } from "./get-user.ts";
import { setActiveOrganisation } from "./set-active-organisation.ts";
import { updateUser } from "./update-user.ts";

export function userRoutes({ database }: { database: Database }): Route[] {
  return [
    route(contract.getMe, ({ caller }) => getUser(database, caller, caller.userId)),
    route(contract.getUser, ({ caller, params }) => getUser(database, caller, params.id)),
    route(contract.updateUser, ({ caller, params, body }) => updateUser(database, caller, params.id, body)),
    route(contract.setActiveOrganisation, ({ caller, params }) => setActiveOrganisation(database, caller, params.id)),
  ];
}
