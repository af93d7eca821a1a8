import type { CrmMapping, CrmMappingInput } from "@leadline/contract/crm-mapping";
import type { Integration } from "@leadline/contract/integrations";
import type { z } from "zod";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { detachLeads } from "../leads/detach-leads.ts";
import { stopComparing } from "./comparisons.table.ts";
import { announceIntegration, requireIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import { updateMapping } from "./integrations.table.ts";
import { askSources } from "./list-sources.ts";

/** Only what the CRM itself tells of is kept. Leads from the previous source stay, detached. */
export async function saveMapping(
  deps: IntegrationDeps,
  caller: Member,
  integrationId: string,
  { source, fields }: z.output<typeof CrmMappingInput>,
): Promise<Integration> {
  const sourceName = await askSources(deps, { caller, integrationId }, async (sources, grant) => {
    const found = (await sources?.list(grant))?.find(({ id }) => id === source);
    if (found === undefined)
      throw new Problem(
        "source-not-chosen",
        "That no longer exists, or the connected account can’t see it. Choose another.",
      );
    const known = new Set((await sources?.describeFields(grant, source))?.map(({ id }) => id));
    if (Object.values(fields).some((id) => id !== null && !known.has(id)))
      throw new Problem("source-not-chosen", "A field you chose no longer exists. Choose another.");
    return found.name;
  });
  const { userId, organisation } = caller;
  const key = { organisationId: organisation.id, integrationId };
  const mapping: CrmMapping = { source, sourceName, fields };
  return deps.database.withTransaction({ userId, organisationId: organisation.id }, async (tx) => {
    const { mapping: former } = await requireIntegration(tx, key, { lock: true });
    if (former !== null && former.source !== source) await detachLeads(tx, key);
    await stopComparing(tx, key);
    await updateMapping(tx, key, mapping);
    return announceIntegration(tx, key);
  });
}
