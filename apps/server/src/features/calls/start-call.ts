import { createHash, randomUUID } from "node:crypto";
import { isLive } from "@leadline/contract/call-state";
import type { Answer } from "@leadline/contract/endpoint";
import type { startCall as endpoint, StartCallInput } from "@leadline/contract/calls";
import type { z } from "zod";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import type { MediaConnection } from "../media-connections/media-connections.ts";
import { attachCallMedia } from "./attach-call-media.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { findCallByIdempotencyKey, insertCall, type NewCall } from "./calls.table.ts";
import { endCall } from "./end-call.ts";
import { followCarrierLeg } from "./follow-carrier-leg.ts";
import type { LiveCall } from "./live-calls.ts";
import { parsePhoneNumber } from "./parse-phone-number.ts";

type Body = z.output<typeof StartCallInput>;
interface StartCall {
  caller: Member;
  body: Body;
  idempotencyKey: string | null;
}

/** Writes the call down, then dials. The browser is answered before the far end answers, so that ICE and DTLS finish while it rings. */
export async function startCall(deps: CallDeps, start: StartCall): Promise<Answer<typeof endpoint>> {
  const startedAtMs = performance.now();
  const { caller, body, idempotencyKey } = start;
  const phoneNumber = parsePhoneNumber(body.phoneNumber);
  const requestHash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  if (idempotencyKey !== null) {
    const repeated = await answerAgain(deps, { ...start, idempotencyKey, requestHash });
    if (repeated) return repeated;
  }

  const [{ legId: carrierLegId, offer: carrierOffer }, browser] = await openLegs(deps, caller, body);
  const discard = async () => {
    await deps.mediaPlane.close(carrierLegId);
    if (browser?.answer !== undefined) await deps.mediaPlane.close(browser.connection.legId);
  };
  const carrier = deps.carriers.ofOrganisation();
  const call: NewCall = {
    callSid: `CA${randomUUID().replaceAll("-", "")}`,
    organisationId: caller.organisation.id,
    userId: caller.userId,
    phoneNumber,
    phoneNumberTyped: body.phoneNumber,
    carrier: carrier.id,
    processKey: deps.processKey,
    mediaConnectionId: browser?.connection.id ?? null,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
  };
  const written = await writeCall(deps, call).catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  if (!written) {
    await discard();
    const repeated = idempotencyKey && (await answerAgain(deps, { ...start, idempotencyKey, requestHash }));
    if (repeated) return repeated;
    throw new Problem("call-in-progress", "You are already in a call. Hang up before you start another.");
  }

  const live = deps.liveCalls.begin({
    callSid: call.callSid,
    organisationId: call.organisationId,
    userId: call.userId,
    carrierId: carrier.id,
    carrierLegId,
    connection: browser?.connection ?? null,
    startedAtMs,
  });
  if (browser) await bridge(deps, live, browser.connection);
  await dial(deps, live, { to: phoneNumber, offer: carrierOffer });
  return {
    callSid: call.callSid,
    ...(browser && { mediaConnectionId: browser.connection.id }),
    ...(browser?.answer !== undefined && { answer: browser.answer }),
  };
}

async function openLegs(deps: CallDeps, caller: Member, body: Body) {
  const opening = deps.mediaPlane.openCarrierLeg();
  try {
    return [await opening, await openBrowserSide(deps, caller, body)] as const;
  } catch (error) {
    await opening.then(
      ({ legId }) => deps.mediaPlane.close(legId),
      () => undefined,
    );
    throw error;
  }
}

async function openBrowserSide(
  deps: CallDeps,
  caller: Member,
  body: Body,
): Promise<{ connection: MediaConnection; answer?: string } | null> {
  if (body.mediaConnectionId !== undefined)
    return { connection: deps.connections.find(body.mediaConnectionId, caller.userId) };
  return body.offer === undefined ? null : deps.connections.open(caller.userId, body.offer);
}

function writeCall(deps: CallDeps, call: NewCall) {
  const { organisationId, userId } = call;
  return deps.database.withTransaction({ organisationId, userId }, async (tx) => {
    const stored = await insertCall(tx, call);
    if (stored)
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
    return stored;
  });
}

async function bridge(deps: CallDeps, live: LiveCall, connection: MediaConnection): Promise<void> {
  try {
    await deps.mediaPlane.bridge(connection.legId, live.carrierLegId);
  } catch (error) {
    deps.log.warn(
      { err: error, callSid: live.callSid },
      "the browser's connection was lost before the call was dialled",
    );
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
    throw new Problem("media-connection-gone", "This tab's audio connection has ended. Open a new one.");
  }
}

async function dial(deps: CallDeps, live: LiveCall, { to, offer }: { to: string; offer: string }): Promise<void> {
  const follow = (event: Parameters<typeof followCarrierLeg>[2]) =>
    followCarrierLeg(deps, live, event).catch((error: unknown) => {
      deps.log.error(
        { err: error, callSid: live.callSid, event: event.type },
        "a carrier's report could not be followed",
      );
      return endCall(deps, live, { reason: "error", sip: null, q850: null });
    });
  try {
    const { carrier } = deps.carriers.ofOrganisation();
    live.leg = await carrier.dial({
      callSid: live.callSid,
      to,
      callerId: null,
      offer,
      onEvent: (event) => void follow(event),
    });
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid }, "the carrier could not be reached");
    await endCall(deps, live, { reason: "network-failure", sip: null, q850: null });
    throw new Problem(
      "carrier-unreachable",
      "Your carrier cannot be reached. Nothing was dialled; try again in a moment.",
    );
  }
  // Hung up while the carrier was still taking the call.
  if (!isLive(live.status)) await live.leg.hangUp();
}

/** The answer to a request that was sent before with this key; null where there was none. */
async function answerAgain(
  deps: CallDeps,
  { caller, body, idempotencyKey, requestHash }: StartCall & { idempotencyKey: string; requestHash: string },
): Promise<Answer<typeof endpoint> | null> {
  const scope = { organisationId: caller.organisation.id, userId: caller.userId };
  const earlier = await deps.database.withTransaction(scope, (tx) =>
    findCallByIdempotencyKey(tx, caller.userId, idempotencyKey),
  );
  if (!earlier) return null;
  if (earlier.requestHash !== requestHash)
    throw new Problem("idempotency-key-reused", "This key was used for another call. Use a new one for each call.");
  const { callSid } = earlier.call;
  if (body.offer === undefined || !deps.liveCalls.find(callSid)) return { callSid };
  return { callSid, ...(await attachCallMedia(deps, { caller, callSid, media: { offer: body.offer } })) };
}
