import { createHash } from "node:crypto";
import type { startCall as endpoint, StartCallInput } from "@leadline/contract/calls";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { z } from "zod";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import { attachCallMedia } from "../in-call/attach-call-media.ts";
import type { CallDeps } from "../call-deps.ts";
import { findCallByIdempotencyKey, type NewCall } from "./new-calls.table.ts";
import { dialCall } from "./dial-call.ts";
import { findCarrier, findTestedCarrier } from "./find-carrier.ts";
import { newCallSid } from "../new-call-sid.ts";
import { openBrowserSide } from "../in-call/open-browser-side.ts";
import { readDialledNumber } from "./read-dialled-number.ts";
import { orReportDelay } from "../retry-write.ts";
import { recordOutboundCall } from "./record-outbound-call.ts";

interface StartCall {
  caller: Member;
  body: z.output<typeof StartCallInput>;
  idempotencyKey: string | null;
}

/**
 * Stores the call, then dials. The browser gets its answer before the far end answers, so that ICE and DTLS finish
 * while it rings.
 */
export async function startCall(deps: CallDeps, start: StartCall): Promise<ResponseOf<typeof endpoint>> {
  const startedAtMs = performance.now();
  const { caller, body, idempotencyKey } = start;
  const [phoneNumber, via] = await Promise.all([
    readDialledNumber(deps.database, caller.organisation.id, body.phoneNumber),
    body.carrierId === undefined
      ? findCarrier(deps, caller.organisation.id)
      : findTestedCarrier(deps, caller, body.carrierId),
  ]);
  const requestHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const call: Omit<NewCall, "mediaConnectionId"> = {
    callSid: newCallSid(),
    organisationId: caller.organisation.id,
    userId: caller.userId,
    phoneNumber,
    phoneNumberTyped: body.phoneNumber,
    leadId: body.leadId ?? null,
    carrier: via.id,
    connection: via.connection,
    processKey: deps.processKey,
    line: 1,
    muted: false,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
  };
  await deps.rates.refresh(call);
  await orReportDelay(deps.liveCalls.cleanedUp(caller.userId), "Your last call is still ending. Try again.");
  const ready = await prepareCall(deps, start, { call, via }).catch(async (error: unknown) => {
    // Another request with the same key may have stored the call first. A failed write doesn't mean that.
    if (!(error instanceof Problem)) throw error;
    const repeated = await answerAgain(deps, start, requestHash);
    if (repeated) return { repeated };
    throw error;
  });
  if ("repeated" in ready) return ready.repeated;

  const { browser, carrierLeg, callerId, verifiedNumbers, lacksNumber, paidForMs } = ready;
  const live = deps.liveCalls.begin({
    callSid: call.callSid,
    organisationId: call.organisationId,
    userId: call.userId,
    carrierId: call.carrier,
    carrierLegId: carrierLeg.legId,
    connection: browser?.connection ?? null,
    startedAtMs,
    paidForMs,
  });
  const callee = { to: phoneNumber, callerId, verifiedNumbers, lacksNumber, offer: carrierLeg.offer };
  await dialCall(deps, live, { via, isTest: body.carrierId !== undefined, ...callee });
  return {
    callSid: call.callSid,
    ...(browser && { mediaConnectionId: browser.connection.id }),
    ...(browser?.answer !== undefined && { answer: browser.answer }),
  };
}

/** Opens the browser's side and stores the call. If storing fails, the browser's side is closed. */
async function prepareCall(
  deps: CallDeps,
  { caller, body }: StartCall,
  { call, via }: { call: Omit<NewCall, "mediaConnectionId">; via: CarrierInUse },
) {
  const browser = await openBrowserSide(deps, { caller, given: body });
  try {
    const connected = { ...call, mediaConnectionId: browser?.connection.id ?? null };
    const { askWhenClosed, outsideHoursReason, callerId: chosenCallerId } = body;
    const browserLegId = browser?.connection.legId;
    const hoursAsked = { askWhenClosed, outsideHoursReason };
    const isTest = body.carrierId !== undefined;
    const conditions = { browserLegId, via, chosenCallerId, isTest, lineInUse, ...hoursAsked };
    const written = await recordOutboundCall(deps, connected, conditions);
    return { browser, ...written };
  } catch (error) {
    if (browser?.answer !== undefined) await deps.mediaPlane.close(browser.connection.legId);
    throw error;
  }
}

const lineInUse = (): Problem =>
  new Problem("call-in-progress", "You’re already on a call. Hang up before you start another.");

/** The response to an earlier request with the same idempotency key. Null if there was none. */
async function answerAgain(
  deps: CallDeps,
  { caller, body, idempotencyKey }: StartCall,
  requestHash: string,
): Promise<ResponseOf<typeof endpoint> | null> {
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
