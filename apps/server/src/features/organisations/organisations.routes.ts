import * as contract from "@leadline/contract/organisations";
import { type Route, route } from "../../http/route.ts";
import { changeOrganisation, type OrganisationDeps } from "./change-organisation.ts";
import { createOrganisation } from "./create-organisation.ts";
import { deleteOrganisation, type DeleteOrganisationDeps } from "./delete-organisation.ts";
import { requireOrganisation } from "./find-organisation.ts";
import { listOrganisations } from "./list-organisations.ts";

export function organisationRoutes(deps: OrganisationDeps & DeleteOrganisationDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.listOrganisations, ({ caller }) => listOrganisations(database, caller.userId)),
    route(contract.getOrganisation, ({ caller: { userId }, params }) =>
      database.withTransaction({ userId }, (tx) => requireOrganisation(tx, { userId, organisationId: params.id })),
    ),
    route(contract.createOrganisation, ({ caller, body }) => createOrganisation(database, caller, body)),
    route(contract.updateOrganisation, ({ caller, params, body }) =>
      changeOrganisation(deps, { userId: caller.userId, organisationId: params.id }, body),
    ),
    route(contract.deleteOrganisation, async ({ caller, params }) => {
      await deleteOrganisation(deps, { userId: caller.userId, organisationId: params.id });
      return undefined;
    }),
  ];
}
