import { isDeepStrictEqual } from "node:util";
import type { CrmField, CrmMapping, CrmMappingInput } from "@leadline/contract/crm-mapping";
import type { Integration } from "@leadline/contract/integrations";
import type { z } from "zod";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { detachLeads } from "../../leads/sync/detach-leads.ts";
import { keepRemappedValues } from "../../leads/sync/keep-remapped-values.ts";
import { stopComparing } from "../sync/comparisons.table.ts";
import { announceIntegration, requireIntegration } from "../find-integration.ts";
import { requireCrm } from "../integration-deps.ts";
import { type StoredIntegration, updateMapping } from "../integrations.table.ts";
import type { Tx } from "../../../db/transaction.ts";
import { refuseSecondConnection } from "../account-of.ts";
import { askSources } from "./list-sources.ts";
import { type ReportDeps, unsubscribeFromChanges } from "../webhooks/subscribe-to-changes.ts";

/**
 * Saves only what the CRM itself describes. An unchanged mapping changes nothing. Leads from the previous source stay,
 * detached.
 */
export async function saveMapping(
  deps: ReportDeps,
  caller: Member,
  integrationId: string,
  given: z.output<typeof CrmMappingInput>,
): Promise<Integration> {
  const { source } = given;
  const mapping = await askSources(deps, { caller, integrationId }, async ({ sources }, grant): Promise<CrmMapping> => {
    const found = (await sources.list(grant)).find(({ id }) => id === source);
    if (found === undefined)
      throw new Problem(
        "source-not-chosen",
        "That no longer exists, or the connected account can’t see it. Choose another.",
      );
    return checkMapping(given, { sourceName: found.name, described: await sources.describeFields(grant, source) });
  });
  const { userId, organisation } = caller;
  const key = { organisationId: organisation.id, integrationId };
  const save = async (tx: Tx): Promise<{ integration: StoredIntegration; saved: Integration }> => {
    const integration = await requireIntegration(tx, key, { lock: true });
    const { mapping: former } = integration;
    // The same mapping: nothing to read again.
    if (isDeepStrictEqual(former, mapping)) return { integration, saved: await announceIntegration(tx, key) };
    await refuseSecondConnection(deps, tx, integration, { accountId: integration.accountId, source });
    if (former !== null && former.source !== source) await detachLeads(tx, key);
    const used = former ?? requireCrm(deps, integration).crm.defaultMapping;
    if (used !== null) await keepRemappedValues(tx, key, { from: used.fields, to: mapping.fields });
    await stopComparing(tx, key);
    await updateMapping(tx, key, mapping);
    return { integration, saved: await announceIntegration(tx, key) };
  };
  const { integration: former, saved } = await deps.database.withTransaction(
    { userId, organisationId: organisation.id },
    save,
  );
  if (former.mapping !== null && former.mapping.source !== source) await unsubscribeFromChanges(deps, former);
  return saved;
}

function checkMapping(
  { source, fields, custom, statuses }: z.output<typeof CrmMappingInput>,
  { sourceName, described }: { sourceName: string; described: readonly CrmField[] },
): CrmMapping {
  const known = new Map(described.map((field) => [field.id, field]));
  const further = [...new Set(custom)].flatMap((id) => known.get(id) ?? []);
  const isKnown = Object.values(fields).every((id) => id === null || known.has(id));
  if (!isKnown || further.length < new Set(custom).size)
    throw new Problem("source-not-chosen", "A field you chose no longer exists. Choose another.");
  const labelsOf = ({ options = [] }: CrmField) =>
    Object.fromEntries(options.flatMap(({ value, label }) => (value === label ? [] : [[value, label]])));
  return {
    source,
    sourceName,
    fields,
    custom: further.map((field) => ({ id: field.id, name: field.name, labels: labelsOf(field) })),
    statuses,
  };
}
