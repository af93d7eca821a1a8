import { listCrmOwners as listEndpoint, saveCrmOwners as saveEndpoint } from "@leadline/contract/crm-owners";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import type { Jobs } from "../../jobs/run-jobs.ts";
import { listCrmOwners, saveCrmOwners } from "../leads/owners/crm-owners.ts";
import type { ReassignOwnedLeadsJob } from "../leads/owners/reassign-owned-leads.ts";
import { requireIntegration } from "./find-integration.ts";

interface CrmOwnerRoutes {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  job: ReassignOwnedLeadsJob;
}

export const crmOwnerRoutes = ({ database, jobs, job }: CrmOwnerRoutes) => [
  route(listEndpoint, async ({ caller, params }) => {
    const key = { organisationId: caller.organisation.id, integrationId: params.id };
    return database.withTransaction({ organisationId: key.organisationId, userId: caller.userId }, async (tx) => {
      await requireIntegration(tx, key);
      return listCrmOwners(tx, key);
    });
  }),
  route(saveEndpoint, async ({ caller, params, body }) => {
    const key = { organisationId: caller.organisation.id, integrationId: params.id };
    await database.withTransaction({ organisationId: key.organisationId, userId: caller.userId }, async (tx) => {
      // A sync locks it for each page too, so no page is stored with the former choice after this.
      await requireIntegration(tx, key, { lock: true });
      await saveCrmOwners(tx, key, { jobs, job, changedBy: caller.userId, choices: body.owners });
    });
    return undefined;
  }),
];
