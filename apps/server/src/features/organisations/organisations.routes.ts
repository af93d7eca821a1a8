import * as contract from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { changeOrganisation } from "./change-organisation.ts";
import { createOrganisation } from "./create-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { listOrganisations } from "./list-organisations.ts";

export function organisationRoutes({ database }: { database: Database }): Route[] {
  return [
    route(contract.listOrganisations, ({ caller }) => listOrganisations(database, caller.userId)),
    route(contract.getOrganisation, ({ caller: { userId }, params }) =>
      database.withTransaction({ userId }, (tx) => requireOrganisation(tx, { userId, organisationId: params.id })),
    ),
    route(contract.createOrganisation, ({ caller, body }) => createOrganisation(database, caller, body)),
    route(contract.updateOrganisation, ({ caller, params, body }) =>
      changeOrganisation(database, { userId: caller.userId, organisationId: params.id }, body),
    ),
  ];
}
