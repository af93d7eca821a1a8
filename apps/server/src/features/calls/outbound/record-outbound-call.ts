import { teammateCarrier } from "@leadline/contract/transfers";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { refuseDoNotCall } from "../../do-not-call/refuse-do-not-call.ts";
import { holdForNewCall } from "../../ledger/hold-for-call.ts";
import { requireLead } from "../../leads/get-lead.ts";
import { reportBreaches } from "../../limits/breaches/report-breaches.ts";
import { refuseOverLimits } from "../../limits/refuse-over-limits.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { readVerifiedNumbers } from "../../carriers/caller-id/read-verified-numbers.ts";
import { pickCallerId } from "../../caller-ids/pick-caller-id.ts";
import { notOurs } from "../../caller-ids/save-caller-id-choices.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import { checkHours, type HoursAsked } from "./check-hours.ts";
import { holdActiveOrganisation } from "../../users/hold-active-organisation.ts";
import type { CallDeps } from "../call-deps.ts";
import type { StoredCall } from "../calls.table.ts";
import { lockCall } from "../running-calls.table.ts";
import { refuseWithoutNumber } from "./lacks-number.ts";
import { insertCall, type NewCall, type PricedCall } from "./new-calls.table.ts";
import { endStrandedCall } from "../in-call/end-stranded-call.ts";
import { publishCalls } from "../publish-calls.ts";
import { retryWrite } from "../retry-write.ts";

/** The hours refuse a call only if nothing else does. */
interface Conditions extends HoursAsked {
  /** The browser leg it will be bridged to. Without one, any browser leg may follow. */
  browserLegId?: string | undefined;
  /** The carrier to dial through, and the caller ID that the person chose. */
  via: CarrierInUse;
  chosenCallerId?: string | undefined;
  /** A test call: no other carrier is tried. */
  isTest?: boolean;
  /** The problem to throw if the line is already in use. */
  lineInUse: () => Problem;
  /** Changes another call in the same transaction. A refusal rolls that back. */
  before?: (tx: Tx) => Promise<StoredCall>;
  /** Undoes that change if it was committed after all, along with this call. Retried until it resolves. */
  undo?: () => Promise<unknown>;
}

/** Opens the far end's leg and stores an outbound call, within the limits. If either fails, both are undone. */
export async function recordOutboundCall(deps: CallDeps, call: NewCall, conditions: Conditions) {
  const { browserLegId } = conditions;
  const colocateWith = deps.connections.legOf(call.userId);
  const near = {
    ...(browserLegId !== undefined && { browserLegId }),
    ...(colocateWith !== undefined && { colocateWith }),
  };
  const openLeg = () => deps.mediaPlane.openCarrierLeg(near).catch(toProblem);
  let opening: ReturnType<typeof openLeg> | undefined;
  // The leg opens while the call is being stored, not before, so that a burst opens no more legs than it stores calls.
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
  // A refusal rolled back the transaction.
  if (written.status === "rejected" && written.reason instanceof Problem) throw written.reason;
  // The call was stored without a leg, or may have been stored: the commit's response can be lost with the connection.
  const { callSid } = call;
  let wasWritten = false;
  const clearUp = async (): Promise<void> => {
    wasWritten ||= (await endStrandedCall(deps, callSid, { reason: "error", neverDialled: true })) !== null;
    if (wasWritten) await conditions.undo?.();
  };
  deps.liveCalls.trackCleanUp(call.userId, retryWrite(deps.log, callSid, clearUp));
  throw written.status === "rejected" ? written.reason : opened.status === "rejected" ? opened.reason : undefined;
}

function write(deps: CallDeps, call: NewCall, conditions: Conditions & { onBegun: () => void }) {
  const { lineInUse, before, onBegun, via, chosenCallerId: chosen = null, isTest = false } = conditions;
  const { organisationId, userId, phoneNumber: to } = call;
  // Limits and the do-not-call list apply to numbers, not teammates.
  const isOutside = call.carrier !== teammateCarrier;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    onBegun();
    const [, , , found, hours, shown] = await askedAtOnce([
      refuseElsewhere(tx, call),
      lockCall(tx, call.callSid),
      call.leadId === null ? undefined : requireLead(tx, { id: call.leadId, organisationId }),
      isOutside ? deps.rates.find(tx, call) : null,
      isOutside ? checkHours(tx, call, conditions) : null,
      isOutside ? pickCallerId(tx, { organisationId, userId, to, via, chosen }) : null,
    ]);
    const callerId = shown?.number ?? null;
    const rate = found?.rate ?? null;
    const priced = { ...call, rate, shownNumber: callerId, hoursOverride: hours?.override ?? null };
    const other = await before?.(tx);
    const [stored, , , verifiedNumbers, , hasNoNumber, paidForMs] = await askedAtOnce([
      insertOnLine(tx, priced, lineInUse),
      isOutside ? refuseDoNotCall(tx, call) : undefined,
      isOutside ? refuseOverLimits(tx, { ...priced, isSandbox: found?.isSandbox }) : undefined,
      call.connection ? readVerifiedNumbers(tx, { organisationId, connectionId: call.connection.id }) : [],
      hours ? refusing(hours.refuse) : undefined,
      refuseWithoutNumber(deps, tx, { organisationId, via, callerId, isTest }),
      // Last: it locks the balance.
      isOutside ? holdForNewCall(tx, priced) : null,
    ]);
    if (chosen !== null && callerId !== chosen) throw notOurs("callerId", chosen);
    await publishCalls(deps, tx, other ? [other, stored] : [stored]);
    return { callerId, verifiedNumbers, lacksNumber: hasNoNumber, paidForMs };
  });
}

/** Sends the statements without waiting for each result. If several refuse, the first refusal is thrown. */
async function askedAtOnce<T extends readonly unknown[]>(
  asked: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** As a promise, so that its problem takes its place in the order of refusals. */
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
