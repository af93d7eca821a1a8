import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { readRtpDescription, sendsSound } from "@leadline/adapter-kit/rtp/rtp-description";
import { isLive } from "@leadline/contract/call-state";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { cutOffAtAnswer } from "./cut-offs.ts";
import { endCall } from "./end-call.ts";
import { endAt } from "./enforce-call-bounds.ts";
import type { LiveCall } from "../live-calls.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { retryWrite } from "../retry-write.ts";

/** Applies an event from the carrier to the call. Ends the call if that fails. */
export async function followCarrierLeg(deps: CallDeps, live: LiveCall, event: CarrierLegEvent): Promise<void> {
  try {
    await apply(deps, live, event);
  } catch (error) {
    deps.log.error({ err: error, callSid: live.callSid, event: event.type }, "a carrier's event could not be handled");
    await endCall(deps, live, { reason: "error", sip: null, q850: null });
  }
}

/** Audio is opened before anything is stored. Rejects if it can't be opened. */
async function apply(deps: CallDeps, live: LiveCall, event: CarrierLegEvent): Promise<void> {
  if (!isLive(live.status)) return;
  switch (event.type) {
    case "ringing":
      if (live.status !== "queued") return;
      live.status = "ringing";
      await live.inOrder(() =>
        retryWrite(deps.log, live.callSid, () => changeLiveCall(deps, live, { status: "ringing" })),
      );
      live.follower?.ringing();
      return;
    case "early-media":
      await describeFarEnd(deps, live, event.answer);
      return;
    case "answered":
      await answer(deps, live, event.answer);
      return;
    case "still-there":
      live.seenBeforeAtMs = null;
      return;
    case "redescribed":
      await describeFarEnd(deps, live, event.answer);
      await saveForRestart(deps, live);
      return;
    case "held":
    case "resumed":
      live.farEndHolds = event.type === "held";
      await live.inOrder(() =>
        retryWrite(deps.log, live.callSid, () => changeLiveCall(deps, live, { heldByThem: event.type === "held" })),
      );
      return;
    case "ended":
      await endCall(deps, live, event.cause);
  }
}

async function describeFarEnd({ mediaPlane }: CallDeps, live: LiveCall, sdp: string): Promise<void> {
  await mediaPlane.acceptCarrierAnswer(live.carrierLegId, sdp);
  const description = readRtpDescription(sdp);
  live.hasFarEnd = true;
  live.farEndSends = description !== null && sendsSound(description);
}

async function answer(deps: CallDeps, live: LiveCall, sdp: string): Promise<void> {
  await describeFarEnd(deps, live, sdp);
  if (!isLive(live.status) || live.answeredAtMs !== null) return;
  const answeredAtMs = performance.now();
  const setupMs = Math.round(answeredAtMs - live.startedAtMs);
  live.status = "in-progress";
  live.answeredAtMs = answeredAtMs;
  const cutOff = cutOffAtAnswer(live.paidForMs);
  if (cutOff !== null) endAt(deps, live, cutOff);
  await live.inOrder(() =>
    retryWrite(deps.log, live.callSid, () => {
      const agoMs = performance.now() - answeredAtMs;
      return changeLiveCall(deps, live, { status: "in-progress", answered: { agoMs, setupMs } });
    }),
  );
  live.follower?.answered();
  await saveForRestart(deps, live);
}
