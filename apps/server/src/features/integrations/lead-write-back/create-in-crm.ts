import type { LeadWriting } from "@leadline/contract/written-leads";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { invalidInput } from "../../../http/read-input.ts";
import type { Member } from "../../../http/route.ts";
import { requireLead } from "../../leads/get-lead.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { requireIntegration } from "../find-integration.ts";
import type { IntegrationDeps } from "../integration-deps.ts";
import { retryFailed } from "../outbox/outbox.table.ts";
import { whyNotSync } from "../sync/start-sync.ts";
import { findLeadWriting, insertCreation } from "./lead-writes.table.ts";

/** Requests the record. The lead follows it from then on. */
export function createInCrm(
  deps: IntegrationDeps,
  caller: Member,
  { leadId, integrationId }: { leadId: string; integrationId: string },
): Promise<LeadWriting> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const lead = await requireLead(tx, { id: leadId, organisationId });
    const refused = whyNotSync(deps, await requireIntegration(tx, { organisationId, integrationId }));
    if (refused !== null) throw refused;
    if (lead.integrationId !== null)
      throw invalidInput([{ path: ["integrationId"], message: "This lead is already in a CRM." }]);
    await insertCreation(tx, { organisationId, leadId, integrationId });
    return announce(tx, { organisationId, leadId });
  });
}

/** Retries what the CRM refused. */
export function retryWritingLead(deps: IntegrationDeps, caller: Member, leadId: string): Promise<LeadWriting> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const isShown = (await findLeadWriting(tx, { organisationId, leadId })) !== null;
    if (!isShown || !(await retryFailed(tx, "lead_writes", { organisationId, key: leadId })))
      throw new Problem("not-found", "There’s nothing to retry for this lead.");
    return announce(tx, { organisationId, leadId });
  });
}

/** Null if nothing of it was to be written. */
export function getLeadWriting(deps: IntegrationDeps, caller: Member, leadId: string): Promise<LeadWriting | null> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    await requireLead(tx, { id: leadId, organisationId });
    return findLeadWriting(tx, { organisationId, leadId });
  });
}

async function announce(tx: Tx, of: { organisationId: string; leadId: string }): Promise<LeadWriting> {
  const writing = await findLeadWriting(tx, of);
  if (writing === null) throw new Error("a lead's writing is not there right after it was requested");
  await publishLiveEvent(tx, {
    organisationId: of.organisationId,
    type: "lead.written",
    data: { leadId: of.leadId },
  });
  return writing;
}
