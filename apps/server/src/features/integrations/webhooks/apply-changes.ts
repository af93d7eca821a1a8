import { CrmError, maxLeadsAtOnce } from "@leadline/adapter-kit/crm";
import type { CrmChange } from "@leadline/adapter-kit/crm-webhooks";
import { asLeadline } from "../../../db/as-leadline.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { deleteLeadsByExternalId, upsertLeadsById } from "../../leads/sync/upsert-leads.ts";
import { recordSeenByLiveRun } from "../sync/comparisons.table.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import { isQuotaReached } from "../../organisations/refuse-over-row-quota.ts";
import { publishIntegrationChange } from "../find-integration.ts";
import { readAsOf } from "../sync/read-as-of.ts";
import { type IntegrationDeps, nameOf, requireCrm } from "../integration-deps.ts";
import { findIntegration } from "../integrations.table.ts";
import { noteAccessEnded } from "../access/note-access-ended.ts";
import { pauseFor, requestsToSpare } from "../sync/request-limit.ts";
import { findPause, pauseRequests } from "../sync/request-pauses.table.ts";
import { whyNotSync } from "../sync/start-sync.ts";
import { isStillAsRead } from "../sync/still-as-read.ts";
import { TakenByAnother, unlessTaken } from "../sync/unless-taken.ts";
import { markApplied, type OfIntegration, selectWaitingChanges } from "./crm-changes.table.ts";

/** Older reports are left to the scheduled sync, if the CRM reports deletions to it too. */
const withinMs = 3_600_000;
const pauseMs = 30_000;
const shortestPauseMs = 1_000;
const longestPauseMs = 3_600_000;

/**
 * Reads the leads named in pending reports and applies their current state along with the reports, so that each report
 * has its effect once. Waits like a sync while the CRM has few requests left, because calls are logged with them. Returns when
 * to try again, or null if none is pending.
 */
export async function applyChanges(deps: IntegrationDeps, key: OfIntegration): Promise<number | null> {
  const { organisationId } = key;
  /** Of a batch that the CRM refused, which is read one by one: one lead may be the reason. */
  let leadsLeft = 0;
  for (;;) {
    const { integration, pause, waiting } = await readWaiting(deps, key);
    if (integration === null || waiting.length === 0 || whyNotSync(deps, integration) !== null) return null;
    if (pause.leftMs > 0) return pause.leftMs;
    const { crm } = requireCrm(deps, integration);
    let taken: readonly CrmChange[] = leadsLeft > 0 ? reportsAbout(1, waiting) : waiting;
    try {
      const answer = await withCrmGrant(deps, integration, async (grant) => {
        const limit = await crm.readLimit(grant);
        const scarce = pauseFor(limit, nameOf(deps, integration));
        if (scarce !== null) return { pauseMs: scarce.ms };
        taken = reportsAbout(requestsToSpare(limit), taken);
        const externalIds = [...new Set(taken.map((change) => change.leadExternalId))];
        return readAsOf(deps, integration, () => crm.readSome(grant, externalIds, integration.mapping));
      });
      if ("pauseMs" in answer) return answer.pauseMs;
      const { read: now, asOf } = answer;
      await unlessTaken(
        deps.database.withTransaction({ organisationId }, async (tx) => {
          if (!(await isStillAsRead(tx, integration))) throw new TakenByAnother();
          if (!(await markApplied(tx, key, idsOf(taken)))) throw new TakenByAnother();
          const seen = [...now.leads, ...now.leftOut].map((record) => record.externalId);
          await asLeadline(tx, "leads.synced", async () => {
            await upsertLeadsById(tx, { ...key, leads: now.leads, asOf });
            await recordSeenByLiveRun(tx, key, seen);
            await deleteLeadsByExternalId(tx, { ...key, externalIds: now.deleted, asOf });
          });
          await publishIntegrationChange(tx, key);
        }),
      );
      leadsLeft -= 1;
    } catch (error) {
      if (isQuotaReached(error)) {
        // The scheduled sync says so.
        await deps.database.withTransaction({ organisationId }, (tx) => markApplied(tx, key, idsOf(taken)));
        continue;
      }
      if (!(error instanceof CrmError) || error instanceof DatabaseUnreachable) throw error;
      deps.log.warn({ err: error, integrationId: key.integrationId }, "reported changes could not be read from a CRM");
      if (error.fault === "limited" || error.fault === "unreachable") {
        const ms = Math.min(Math.max(error.retryAfterMs ?? pauseMs, shortestPauseMs), longestPauseMs);
        if (error.fault === "limited")
          await deps.database.withTransaction({ organisationId }, (tx) => pauseRequests(tx, key, ms));
        return ms;
      }
      const refusedLeads = new Set(taken.map((change) => change.leadExternalId)).size;
      if (error.fault === "refused" && refusedLeads > 1) {
        leadsLeft = refusedLeads;
        continue;
      }
      leadsLeft -= 1;
      const needsConnecting = error.fault === "grant-refused" || error.fault === "access-refused";
      await deps.database.withTransaction({ organisationId }, async (tx) => {
        if (needsConnecting) await noteAccessEnded(deps, tx, integration, { error, kept: "the leads are kept" });
        // The scheduled sync reads them all the same.
        else await markApplied(tx, key, idsOf(taken));
      });
      if (needsConnecting) return null;
    }
  }
}

const readWaiting = (deps: IntegrationDeps, key: OfIntegration) =>
  deps.database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
    const integration = await findIntegration(tx, key);
    const listsDeletions = deps.crms.find(integration?.service ?? "")?.module.capabilities.deletions ?? false;
    const within = listsDeletions ? withinMs : null;
    const waiting = await selectWaitingChanges(tx, key, { most: maxLeadsAtOnce, withinMs: within });
    return { integration, pause: await findPause(tx, key), waiting };
  });

const idsOf = (changes: readonly CrmChange[]): string[] => changes.map((change) => change.eventId);

/** The oldest reports, about at most this many leads: some CRMs are sent a request for each. */
function reportsAbout(most: number, waiting: readonly CrmChange[]): CrmChange[] {
  const leads = [...new Set(waiting.map((change) => change.leadExternalId))].slice(0, most);
  return waiting.filter((change) => leads.includes(change.leadExternalId));
}
