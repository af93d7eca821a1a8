import { type CrmCall, type CrmCalls, CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { backOffMs } from "../../../back-off-ms.ts";
import { DatabaseUnreachable } from "../../../db/database-unreachable.ts";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import type { Tx } from "../../../db/transaction.ts";
import { withCrmGrant } from "../crm-access.ts";
import { type IntegrationDeps, requireCrm } from "../integration-deps.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";
import { noteAccessEnded } from "../note-access-ended.ts";
import {
  type DueActivity,
  dropActivity,
  noteTrouble,
  noteWritten,
  readCrmCall,
  takeDueActivities,
} from "./call-activities.table.ts";

/** Notifies the organisation's tabs of a call's new state. */
export type PublishCall = (tx: Tx, callSid: string) => Promise<void>;

export interface WritingDeps extends IntegrationDeps {
  publicUrl: URL | null;
  publishCall: PublishCall;
}

/** Longer than all requests for one call. A killed worker delays its calls this long. */
const leaseMs = 120_000;
const mostAtOnce = 10;
const retrying = { firstMs: 2_000, longestMs: 300_000 };
/** The longest pause that a CRM may request. */
const longestPauseMs = 3_600_000;

/**
 * Writes a batch of due calls and returns how many. Settles once none of them is in progress, even if one fails. Concurrent
 * workers take different calls.
 */
export async function writeDueCalls(
  deps: WritingDeps,
  options: { organisationId?: string; integrationId?: string; leaseMs?: number } = {},
): Promise<number> {
  const { organisationId, integrationId } = options;
  const due = await deps.database.withTransaction({ system: "find calls that are due at a CRM" }, (tx) =>
    takeDueActivities(tx, {
      most: mostAtOnce,
      leaseMs: options.leaseMs ?? leaseMs,
      organisationId,
      integrationId,
    }),
  );
  const written = await Promise.allSettled(due.map((activity) => writeOne(deps, activity)));
  const failed = written.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return due.length;
}

async function writeOne(deps: WritingDeps, activity: DueActivity): Promise<void> {
  const { organisationId, integrationId, callSid } = activity;
  const found = await deps.database.withTransaction({ organisationId }, async (tx) => {
    // A lead that was merged into another keeps its CRM record, with the calls logged there.
    await seeRemovedLeads(tx, "on");
    return {
      integration: await findIntegration(tx, { organisationId, integrationId }),
      call: await readCrmCall(tx, callSid),
    };
  });
  const { integration, call } = found;
  if (integration === null || call === null) return record(deps, activity, (tx) => dropActivity(tx, activity));
  const { calls } = requireCrm(deps, integration).crm;
  const { leadId, ...told } = call;
  const link = deps.publicUrl === null ? null : new URL(`/leads/${leadId}`, deps.publicUrl).href;
  try {
    const written = await send(deps, { calls, integration, activity, call: { ...told, link } });
    await record(deps, activity, (tx) => noteWritten(tx, activity, written));
  } catch (error) {
    // The failure can't be stored either. The call is due again when the lease ends.
    if (error instanceof DatabaseUnreachable) throw error;
    await afterFailure(deps, { integration, activity, error });
  }
}

interface Sending {
  calls: CrmCalls;
  integration: StoredIntegration;
  activity: DueActivity;
  call: CrmCall;
}

/** Looks for an earlier attempt before creating the activity, and creates it again if it was deleted in the CRM. */
async function send(
  deps: WritingDeps,
  { calls, integration, activity, call }: Sending,
): Promise<{ externalId: string; url: string | null }> {
  return withCrmGrant(deps, integration, async (grant: CrmGrant) => {
    const { externalId, tries } = activity;
    if (externalId !== null && (await calls.update(grant, externalId, call))) return { externalId, url: null };
    const former = externalId !== null || tries > 1 ? await calls.find(grant, call) : null;
    if (former !== null && (await calls.update(grant, former.externalId, call))) return former;
    return calls.create(grant, call);
  });
}

const record = (deps: WritingDeps, { organisationId, callSid }: DueActivity, note: (tx: Tx) => Promise<void>) =>
  deps.database.withTransaction({ organisationId }, async (tx) => {
    await note(tx);
    await deps.publishCall(tx, callSid);
  });

async function afterFailure(
  deps: WritingDeps,
  { integration, activity, error }: { integration: StoredIntegration; activity: DueActivity; error: unknown },
): Promise<void> {
  const { integrationId, callSid } = activity;
  const fault = error instanceof CrmError ? error.fault : null;
  const noted = { err: error, callSid, integrationId };
  if (fault === null) deps.log.error(noted, "writing a call to a CRM failed unexpectedly");
  else deps.log.warn(noted, "a call was not written to a CRM");
  const problem = error instanceof CrmError ? error.message : "It failed because of an error on our side.";
  const needsConnecting = fault === "grant-refused" || fault === "access-refused";
  const asked = error instanceof CrmError ? error.retryAfterMs : null;
  const waitMs = asked === null ? backOffMs(activity.tries - 1, retrying) : Math.min(asked, longestPauseMs);
  const afterMs = fault === "refused" ? null : needsConnecting ? 0 : waitMs;
  await record(deps, activity, async (tx) => {
    await noteTrouble(tx, activity, { problem, afterMs });
    if (needsConnecting) await noteAccessEnded(deps, tx, integration, "the waiting calls are kept");
  });
}
