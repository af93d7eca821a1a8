import {
  type Crm,
  CrmError,
  type CrmGrant,
  type CrmLeadPage,
  type CrmLimit,
  maxLeadsAtOnce,
} from "@leadline/adapter-kit/crm";
import { backOffMs } from "../../../back-off-ms.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import type { Tx } from "../../../db/transaction.ts";
import { deleteLeadsByExternalId, upsertLeads } from "../../leads/sync/upsert-leads.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import { type IntegrationDeps, nameOf, requireCrm } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import { isQuotaReached } from "../../organisations/refuse-over-row-quota.ts";
import { findCursor, moveCursor } from "./sync-cursors.table.ts";
import { recordSeenLeads } from "./comparisons.table.ts";
import { insertLeftOut, selectIdsToRetry } from "./left-out-records.table.ts";
import { noteAccessEnded } from "../access/note-access-ended.ts";
import { publishSync } from "./publish-sync.ts";
import { readAsOf } from "./read-as-of.ts";
import { readLeadPage } from "./read-lead-page.ts";
import { pauseFor, toRequestLimit } from "./request-limit.ts";
import { findPause, pauseRequests } from "./request-pauses.table.ts";
import { removeMissingLeads } from "./remove-missing-leads.ts";
import { isStillAsRead } from "./still-as-read.ts";
import { addPage, changeAsRun, failRun, postponeRun, type StoredRun, touchRun } from "./sync-runs.table.ts";
import { TakenByAnother, unlessTaken } from "./unless-taken.ts";

/** After this many consecutive failures, about twenty minutes, a run is given up. */
const maxFailures = 10;
const retrying = { firstMs: 2_000, longestMs: 300_000 };
/** If the CRM says how long to wait. */
const longestAskedMs = 3_600_000;

/** ended: or another worker has it. postponed: call again after a while. unfinished: call again at once. */
export type SyncOutcome = { is: "ended" } | { is: "unfinished" } | { is: "postponed"; afterMs: number };

/**
 * Reads a CRM's leads page by page for up to `sliceMs`, each while the one before it is stored. Each page is stored with
 * the cursor after it, so a killed worker loses only what it had read and not stored, and the next worker neither skips
 * nor repeats any.
 */
export async function syncLeads(
  deps: IntegrationDeps,
  which: { runId: string; organisationId: string; sliceMs: number },
): Promise<SyncOutcome> {
  const { runId, organisationId, sliceMs } = which;
  const startedMs = performance.now();
  const scope = { organisationId };
  const isSliceOver = () => performance.now() - startedMs > sliceMs;
  const reader = createPageReader(deps);
  let run = await deps.database.withTransaction(scope, (tx) => touchRun(tx, runId));
  for (let pages = 0; run !== null && run.run.endedAt === null; pages += 1) {
    if (pages > 0 && isSliceOver()) return { is: "unfinished" };
    const stored: StoredRun = run;
    if (stored.comparing === "removing") {
      run = await removeMissingLeads(deps, stored);
      continue;
    }
    const key = { organisationId, integrationId: stored.integrationId };
    const retry = { limit: maxLeadsAtOnce, offset: stored.pages * maxLeadsAtOnce };
    const [integration, cursor, { leftMs }, idsToRetry] = await deps.database.readAtOnce(scope, (tx) =>
      Promise.all([
        findIntegration(tx, key),
        findCursor(tx, key),
        findPause(tx, key),
        selectIdsToRetry(tx, { organisationId, runId }, retry),
      ]),
    );
    if (integration === null) break;
    if (leftMs > 0)
      return waitForCrm(deps, stored, { ms: leftMs, why: `${nameOf(deps, integration)} asks to slow down.` });
    try {
      // Without a cursor, every record is read anyway.
      const retries = cursor !== null && idsToRetry.length > 0;
      const reading = retries ? reader.readAgain(integration, cursor, idsToRetry) : reader.read(integration, cursor);
      const { page, asOf, limit } = await reading;
      if (page.wait) return await waitForCrm(deps, stored, page.wait);
      const pause = page.done ? null : pauseFor(limit, nameOf(deps, integration));
      if (!page.done && pause === null && !isSliceOver()) reader.readAhead(integration, page.cursor);
      run = await keepPage(deps, stored, { integration, page, asOf, cursor, limit });
      if (run !== null && pause !== null) return await waitForCrm(deps, run, pause);
    } catch (error) {
      return afterFailure(deps, { stored, integration, error });
    }
  }
  return { is: "ended" };
}

interface ReadPage {
  page: CrmLeadPage;
  /** Its leads are as they were then, or later. */
  asOf: string;
  /** After this page. */
  limit: CrmLimit | null;
}

/** Reads one page ahead. A page that was read ahead is dropped if the cursor has been moved elsewhere meanwhile. */
function createPageReader(deps: IntegrationDeps) {
  let ahead: { cursor: string; page: Promise<ReadPage> } | null = null;
  const readPage = async (
    integration: StoredIntegration,
    readFrom: (crm: Crm, grant: CrmGrant) => Promise<CrmLeadPage>,
  ): Promise<ReadPage> => {
    const { crm } = requireCrm(deps, integration);
    return withCrmGrant(deps, integration, async (grant) => {
      const { read: page, asOf } = await readAsOf(deps, integration, () => readFrom(crm, grant));
      return { page, asOf: before(asOf, page.preparedMs), limit: await crm.readLimit(grant) };
    });
  };
  const readNow = (integration: StoredIntegration, cursor: string | null): Promise<ReadPage> =>
    readPage(integration, (crm, grant) => readLeadPage(crm, grant, { cursor, mapping: integration.mapping }));
  return {
    /** These records. The cursor stays where it is. */
    readAgain: (integration: StoredIntegration, cursor: string, externalIds: readonly string[]): Promise<ReadPage> =>
      readPage(integration, async (crm, grant) => {
        const some = await crm.readSome(grant, externalIds, integration.mapping);
        return { ...some, total: null, cursor, done: false };
      }),
    read(integration: StoredIntegration, cursor: string | null): Promise<ReadPage> {
      const known = ahead;
      ahead = null;
      return known !== null && known.cursor === cursor ? known.page : readNow(integration, cursor);
    },
    readAhead(integration: StoredIntegration, cursor: string): void {
      const page = readNow(integration, cursor);
      // Whoever reads this page gets the error.
      page.catch(() => {});
      ahead = { cursor, page };
    },
  };
}

const before = (time: string, ms = 0): string => (ms === 0 ? time : new Date(Date.parse(time) - ms).toISOString());

/**
 * Null if another worker stored this page, or the run is over. Nothing is stored then, nor if the page was read with an
 * account or mapping that the integration no longer has: the run reads again.
 */
async function keepPage(
  deps: IntegrationDeps,
  { run, integrationId, organisationId, pages, comparing }: StoredRun,
  { integration, page, asOf, cursor, limit }: ReadPage & { integration: StoredIntegration; cursor: string | null },
): Promise<StoredRun | null> {
  const key = { organisationId, integrationId };
  const requestLimit = toRequestLimit(limit);
  const keep = async (tx: Tx): Promise<StoredRun | null> => {
    // First, in the order in which every transaction locks: this locks the integration's row.
    if (!(await isStillAsRead(tx, integration))) return touchRun(tx, run.id);
    const moving = moveCursor(tx, key, { from: cursor, to: page.cursor, requestLimit });
    const [isMoved] = await Promise.all([moving, changeAsRun(tx, run.id)]);
    if (!isMoved) throw new TakenByAnother();
    const { created, updated } = await upsertLeads(tx, { ...key, leads: page.leads, asOf });
    const gone = { ...key, externalIds: page.deleted, asOf };
    const { deleted, kept: keptLeads } = await deleteLeadsByExternalId(tx, gone);
    if (comparing !== null) {
      // A record that is left out is still there, and so stays its lead.
      const externalIds = [...page.leads, ...page.leftOut].map((record) => record.externalId);
      await recordSeenLeads(tx, { runId: run.id, organisationId, externalIds });
    }
    await insertLeftOut(tx, { runId: run.id, organisationId, before: run.failed }, page.leftOut);
    const read = page.leads.length + page.leftOut.length;
    const changes = { created, updated, deleted, kept: keptLeads, failed: page.leftOut.length };
    const isLastPage = page.done;
    const next = { done: isLastPage && comparing === null, startsRemoving: isLastPage && comparing !== null };
    const counts = { total: page.total, read, ...changes, ...next };
    const kept = await addPage(tx, { id: run.id, pages }, counts);
    if (kept === null) throw new TakenByAnother();
    await publishSync(tx, kept);
    return kept;
  };
  return unlessTaken(deps.database.withTransaction({ organisationId }, keep));
}

async function afterFailure(
  deps: IntegrationDeps,
  failure: { stored: StoredRun; integration: StoredIntegration; error: unknown },
): Promise<SyncOutcome> {
  const { stored, integration, error } = failure;
  const { organisationId, integrationId, run } = stored;
  // The failure can't be stored either, so let the queue retry.
  if (error instanceof DatabaseUnreachable) throw error;
  const fault = error instanceof CrmError ? error.fault : null;
  const noted = { err: error, runId: run.id, integrationId };
  const isFull = isQuotaReached(error);
  if (fault === null && !isFull) deps.log.error(noted, "a sync failed unexpectedly");
  else deps.log.warn(noted, "a sync failed");
  const needsConnecting = fault === "grant-refused" || fault === "access-refused";
  const mayPass = !isFull && (fault === null || fault === "limited" || fault === "unreachable");
  if (mayPass && stored.failures + 1 < maxFailures) return postpone(deps, failure);
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    const problem = needsConnecting
      ? await noteAccessEnded(deps, tx, integration, { error, kept: "the leads and the sync’s progress are kept" })
      : messageFor(error);
    const failed = await failRun(tx, run.id, problem);
    if (failed !== null) await publishSync(tx, failed);
  });
  return { is: "ended" };
}

async function postpone(
  deps: IntegrationDeps,
  { stored, error }: { stored: StoredRun; error: unknown },
): Promise<SyncOutcome> {
  const { failures } = stored;
  const askedMs = error instanceof CrmError ? (error.retryAfterMs ?? 0) : 0;
  const afterMs = Math.max(backOffMs(failures, retrying), Math.min(askedMs, longestAskedMs));
  const isLimited = error instanceof CrmError && error.fault === "limited";
  return postponeBy(deps, stored, { problem: messageFor(error), afterMs, isFailure: true, isLimited });
}

/** The CRM is at work: unlike a failed try, this is never given up here. */
const waitForCrm = (deps: IntegrationDeps, stored: StoredRun, { ms, why }: NonNullable<CrmLeadPage["wait"]>) =>
  postponeBy(deps, stored, { problem: why, afterMs: ms, isFailure: false, isLimited: false });

async function postponeBy(
  deps: IntegrationDeps,
  { organisationId, integrationId, run, pages }: StoredRun,
  { isLimited, ...wait }: { problem: string; afterMs: number; isFailure: boolean; isLimited: boolean },
): Promise<SyncOutcome> {
  const postponed = await deps.database.withTransaction({ organisationId }, async (tx) => {
    if (isLimited) await pauseRequests(tx, { organisationId, integrationId }, wait.afterMs);
    const waiting = await postponeRun(tx, { id: run.id, pages }, wait);
    if (waiting !== null) await publishSync(tx, waiting);
    return waiting;
  });
  return postponed === null ? { is: "ended" } : { is: "postponed", afterMs: wait.afterMs };
}

const messageFor = (error: unknown): string =>
  error instanceof CrmError || isQuotaReached(error)
    ? error.message
    : "A record failed because of an error on our side, which has been logged.";
