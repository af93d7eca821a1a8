import type { Crm, CrmGrant } from "@leadline/adapter-kit/crm";
import { suggestMapping } from "@leadline/adapter-kit/suggest-mapping";
import { type CrmField, type CrmFieldMapping, type CrmSource, mapFields } from "@leadline/contract/crm-mapping";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import { requireIntegration } from "../find-integration.ts";
import { type IntegrationDeps, nameOf, requireCrm } from "../integration-deps.ts";
import { toCrmProblem } from "../to-crm-problem.ts";

export async function listSources(deps: IntegrationDeps, caller: Member, integrationId: string): Promise<CrmSource[]> {
  return askSources(deps, { caller, integrationId }, ({ sources }, grant) => sources.list(grant));
}

/** Its fields in the CRM's order, and a suggested mapping. */
export async function describeSource(
  deps: IntegrationDeps,
  caller: Member,
  which: { integrationId: string; source: string },
): Promise<{ fields: CrmField[]; suggested: CrmFieldMapping }> {
  const { integrationId, source } = which;
  return askSources(deps, { caller, integrationId }, async ({ sources, defaultMapping }, grant) => {
    const fields = await sources.describeFields(grant, source);
    return {
      fields,
      suggested: defaultMapping === null ? suggestMapping(fields) : visible(defaultMapping.fields, fields),
    };
  });
}

/** Without fields that the connected user may not see in the CRM. */
function visible(fields: CrmFieldMapping, described: readonly CrmField[]): CrmFieldMapping {
  const known = new Set(described.map(({ id }) => id));
  return mapFields(fields, (id) => (id !== null && known.has(id) ? id : null));
}

/** Asks the CRM outside of any transaction. */
export async function askSources<T>(
  deps: IntegrationDeps,
  { caller, integrationId }: { caller: Member; integrationId: string },
  ask: (crm: Pick<Crm, "sources" | "defaultMapping">, grant: CrmGrant) => Promise<T>,
): Promise<T> {
  const { userId, organisation } = caller;
  const key = { organisationId: organisation.id, integrationId };
  const scope = { userId, organisationId: organisation.id };
  const integration = await deps.database.withTransaction(scope, (tx) => requireIntegration(tx, key));
  const { crm } = requireCrm(deps, integration);
  const problem =
    integration.status === "inactive"
      ? `Connect this integration to ${nameOf(deps, integration)} first.`
      : integration.problem;
  if (problem !== null) throw new Problem("integration-not-connected", problem);
  return withCrmGrant(deps, integration, (grant) => ask(crm, grant)).catch((error: unknown) => {
    throw toCrmProblem(error);
  });
}
