import { createHash, randomUUID } from "node:crypto";
import type { startCall as endpoint, StartCallInput } from "@leadline/contract/calls";
import type { Answer } from "@leadline/contract/endpoint";
import type { z } from "zod";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { refuseDoNotCall } from "../do-not-call/refuse-do-not-call.ts";
import { requireLead } from "../leads/get-lead.ts";
import { refuseOverLimits } from "../limits/refuse-over-limits.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { toProblem } from "../media-connections/media-connections.ts";
import { readCallerId } from "../numbers/read-caller-id.ts";
import { holdActiveOrganisation } from "../users/hold-active-organisation.ts";
import { attachCallMedia } from "./attach-call-media.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { findCallByIdempotencyKey, insertCall, lockCall, type NewCall } from "./calls.table.ts";
import { carrierUnreachable, dialCall } from "./dial-call.ts";
import { endStrandedCall } from "./end-stranded-call.ts";
import { openBrowserSide } from "./open-browser-side.ts";
import { readDialledNumber } from "./read-dialled-number.ts";
import { orSayLater, untilWritten } from "./until-written.ts";

interface StartCall {
  caller: Member;
  body: z.output<typeof StartCallInput>;
  idempotencyKey: string | null;
}

/** Writes the call down, then dials. The browser is answered before the far end answers, so that ICE and DTLS finish while it rings. */
export async function startCall(deps: CallDeps, start: StartCall): Promise<Answer<typeof endpoint>> {
  const startedAtMs = performance.now();
  const { caller, body, idempotencyKey } = start;
  const [phoneNumber, { id: carrierId, carrier, connection }] = await Promise.all([
    readDialledNumber(deps.database, caller.organisation.id, body.phoneNumber),
    findCarrier(deps, caller.organisation.id),
  ]);
  const requestHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const call = {
    callSid: `CA${randomUUID().replaceAll("-", "")}`,
    organisationId: caller.organisation.id,
    userId: caller.userId,
    phoneNumber,
    phoneNumberTyped: body.phoneNumber,
    leadId: body.leadId ?? null,
    carrier: carrierId,
    connection,
    processKey: deps.processKey,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
  };
  await orSayLater(deps.liveCalls.settled(caller.userId), "Your last call is still being cleared up. Try again.");
  const ready = await prepareCall(deps, start, call).catch(async (error: unknown) => {
    // Refused, perhaps because the first of two same requests has the place already. A failed write is no such thing.
    if (!(error instanceof Problem)) throw error;
    const repeated = await answerAgain(deps, start, requestHash);
    if (repeated) return { repeated };
    throw error;
  });
  if ("repeated" in ready) return ready.repeated;

  const { browser, carrierLeg, callerId } = ready;
  const live = deps.liveCalls.begin({
    callSid: call.callSid,
    organisationId: call.organisationId,
    userId: call.userId,
    carrierId: call.carrier,
    carrierLegId: carrierLeg.legId,
    connection: browser?.connection ?? null,
    startedAtMs,
  });
  await dialCall(deps, live, { carrier, to: phoneNumber, callerId, offer: carrierLeg.offer });
  return {
    callSid: call.callSid,
    ...(browser && { mediaConnectionId: browser.connection.id }),
    ...(browser?.answer !== undefined && { answer: browser.answer }),
  };
}

function findCarrier(deps: CallDeps, organisationId: string) {
  return deps.carriers.ofOrganisation(organisationId).catch((error: unknown) => {
    deps.log.error({ err: error, organisationId }, "the organisation's carrier could not be opened");
    throw carrierUnreachable();
  });
}

/** Both legs open and the call written down; where one of these fails, none of them stays. */
async function prepareCall(deps: CallDeps, { caller, body }: StartCall, call: Omit<NewCall, "mediaConnectionId">) {
  const browser = await openBrowserSide(deps, caller, body);
  const mediaConnectionId = browser?.connection.id ?? null;
  const [opened, written] = await Promise.allSettled([
    deps.mediaPlane.openCarrierLeg(browser ? { browserLegId: browser.connection.legId } : {}).catch(toProblem),
    writeCall(deps, { ...call, mediaConnectionId }),
  ]);
  if (opened.status === "fulfilled" && written.status === "fulfilled" && written.value)
    return { browser, carrierLeg: opened.value, callerId: written.value.callerId };

  if (opened.status === "fulfilled") await deps.mediaPlane.close(opened.value.legId);
  if (browser?.answer !== undefined) await deps.mediaPlane.close(browser.connection.legId);
  if (written.status === "rejected" || written.value) {
    // Written without a leg, or perhaps written: the answer to a commit can be lost with the connection.
    const { callSid } = call;
    const clearUp = () => endStrandedCall(deps, callSid, "error");
    deps.liveCalls.settle(call.userId, untilWritten(deps.log, callSid, clearUp));
    throw written.status === "rejected" ? written.reason : opened.status === "rejected" ? opened.reason : undefined;
  }
  throw new Problem("call-in-progress", "You are already in a call. Hang up before you start another.");
}

function writeCall(deps: CallDeps, call: NewCall) {
  const { organisationId, userId } = call;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    const [held] = await Promise.all([
      holdActiveOrganisation(tx, { organisationId, userId }),
      lockCall(tx, call.callSid),
    ]);
    if (!held) throw new Problem("no-organisation", "You have just changed your organisation. Try again.");
    if (call.leadId !== null) await requireLead(tx, { id: call.leadId, organisationId });
    const stored = await insertCall(tx, call);
    if (!stored) return null;
    await refuseDoNotCall(tx, call);
    await refuseOverLimits(tx, call);
    const callerId = await readCallerId(tx, { organisationId, carrier: call.carrier });
    await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
    return { callerId };
  });
}

/** The answer to a request that was sent before with this key; null where there was none. */
async function answerAgain(
  deps: CallDeps,
  { caller, body, idempotencyKey }: StartCall,
  requestHash: string,
): Promise<Answer<typeof endpoint> | null> {
  if (idempotencyKey === null) return null;
  const scope = { organisationId: caller.organisation.id, userId: caller.userId };
  const earlier = await deps.database.withTransaction(scope, (tx) =>
    findCallByIdempotencyKey(tx, caller.userId, idempotencyKey),
  );
  if (!earlier) return null;
  if (earlier.requestHash !== requestHash)
    throw new Problem("idempotency-key-reused", "This key was used for another call. Use a new one for each call.");
  const { callSid } = earlier.call;
  if (body.offer === undefined || !deps.liveCalls.find(callSid)) return { callSid };
  const { mediaConnectionId, answer } = await attachCallMedia(deps, { caller, callSid, media: { offer: body.offer } });
  return { callSid, mediaConnectionId, ...(answer !== undefined && { answer }) };
}
