import { teammateCarrier } from "@leadline/contract/transfers";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { refuseDoNotCall } from "../../do-not-call/refuse-do-not-call.ts";
import { holdForNewCall } from "../../ledger/hold-for-call.ts";
import { requireLead } from "../../leads/get-lead.ts";
import { reportBreaches } from "../../limits/breaches/report-breaches.ts";
import { refuseOverLimits } from "../../limits/refuse-over-limits.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { readProvenNumbers } from "../../carriers/caller-id/read-proven-numbers.ts";
import { pickCallerId } from "../../caller-ids/pick-caller-id.ts";
import { notOurs } from "../../caller-ids/save-caller-id-choices.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import { checkHours, type HoursAsked } from "./check-hours.ts";
import { holdActiveOrganisation } from "../../users/hold-active-organisation.ts";
import type { CallDeps } from "../call-deps.ts";
import type { StoredCall } from "../calls.table.ts";
import { lockCall } from "../running-calls.table.ts";
import { insertCall, type NewCall, type PricedCall } from "./new-calls.table.ts";
import { endStrandedCall } from "../recovery/end-stranded-call.ts";
import { publishCalls } from "../publish-calls.ts";
import { retryWrite } from "../retry-write.ts";

/** Outside the hours it is refused only where nothing else refuses it. */
interface Conditions extends HoursAsked {
  /** The leg that the far side's will be bridged to; without one, any may follow. */
  browserLegId?: string | undefined;
  /** The carrier it is dialled through, and the number that its person wants the callee to see. */
  dialled: CarrierInUse;
  chosenCallerId?: string | undefined;
  /** Why the line on which the call is to be cannot have it. */
  lineInUse: () => Problem;
  /** Changes another call for it in the same transaction, which a refusal undoes. */
  before?: (tx: Tx) => Promise<StoredCall>;
  /** Undoes that change where it was written all the same, and this call with it; tried again until it resolves. */
  undo?: () => Promise<unknown>;
}

/** The far side's leg open and a call out written down, within the limits; where one of these fails, neither stays. */
export async function recordOutboundCall(deps: CallDeps, call: NewCall, conditions: Conditions) {
  const { browserLegId } = conditions;
  const besideLegId = deps.connections.legOf(call.userId);
  const near = {
    ...(browserLegId !== undefined && { browserLegId }),
    ...(besideLegId !== undefined && { besideLegId }),
  };
  const openLeg = () => deps.mediaPlane.openCarrierLeg(near).catch(toProblem);
  let opening: ReturnType<typeof openLeg> | undefined;
  // The leg opens while the call is written, but not before: a burst opens no more legs at once than it writes calls.
  const onBegun = () => {
    opening = openLeg();
    opening.catch(() => {});
  };
  const writing = reportBreaches(deps, call, () => write(deps, call, { ...conditions, onBegun }));
  const [written] = await Promise.allSettled([writing]);
  const [opened] = await Promise.allSettled([opening]);
  if (opened.status === "fulfilled" && opened.value !== undefined && written.status === "fulfilled")
    return { carrierLeg: opened.value, ...written.value };

  if (opened.status === "fulfilled" && opened.value !== undefined) await deps.mediaPlane.close(opened.value.legId);
  // A refusal rolled the transaction back.
  if (written.status === "rejected" && written.reason instanceof Problem) throw written.reason;
  // Written without a leg, or perhaps written: the answer to a commit can be lost with the connection.
  const { callSid } = call;
  let wasWritten = false;
  const clearUp = async (): Promise<void> => {
    wasWritten ||= (await endStrandedCall(deps, callSid, { reason: "error", neverDialled: true })) !== null;
    if (wasWritten) await conditions.undo?.();
  };
  deps.liveCalls.settle(call.userId, retryWrite(deps.log, callSid, clearUp));
  throw written.status === "rejected" ? written.reason : opened.status === "rejected" ? opened.reason : undefined;
}

function write(deps: CallDeps, call: NewCall, conditions: Conditions & { onBegun: () => void }) {
  const { lineInUse, before, onBegun, dialled, chosenCallerId: chosen = null } = conditions;
  const { organisationId, userId, phoneNumber: to } = call;
  // Limits and lists are about numbers.
  const isOutside = call.carrier !== teammateCarrier;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    onBegun();
    const [, , , found, hours] = await askedAtOnce([
      refuseElsewhere(tx, call),
      lockCall(tx, call.callSid),
      call.leadId === null ? undefined : requireLead(tx, { id: call.leadId, organisationId }),
      isOutside ? deps.rates.find(tx, call) : null,
      isOutside ? checkHours(tx, call, conditions) : null,
    ]);
    const priced = { ...call, rate: found?.rate ?? null, hoursOverride: hours?.override ?? null };
    const other = await before?.(tx);
    const [stored, , , shown, proven] = await askedAtOnce([
      insertOnLine(tx, priced, lineInUse),
      isOutside ? refuseDoNotCall(tx, call) : undefined,
      isOutside ? refuseOverLimits(tx, priced) : undefined,
      isOutside ? pickCallerId(tx, { organisationId, userId, to, dialled, chosen }) : null,
      call.connection ? readProvenNumbers(tx, organisationId) : [],
      hours ? refusing(hours.refuse) : undefined,
      // Last: it locks the balance.
      isOutside ? holdForNewCall(tx, priced) : undefined,
    ]);
    const callerId = shown?.number ?? null;
    if (chosen !== null && callerId !== chosen) throw notOurs("callerId", chosen);
    await publishCalls(deps, tx, other ? [other, stored] : [stored]);
    return { callerId, proven };
  });
}

/** Statements follow each other without waiting for answers; of several that refuse, the first is the one that is told. */
async function askedAtOnce<T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** A promise, so that what it throws takes its turn among the refusals. */
const refusing = async (refuse: () => void): Promise<void> => refuse();

async function refuseElsewhere(tx: Tx, { userId, organisationId }: NewCall): Promise<void> {
  if (!(await holdActiveOrganisation(tx, { organisationId, userId })))
    throw new Problem("no-organisation", "You’ve just switched organisations. Try again.");
}

async function insertOnLine(tx: Tx, call: PricedCall, lineInUse: () => Problem): Promise<StoredCall> {
  const stored = await insertCall(tx, call);
  if (!stored) throw lineInUse();
  return stored;
}
