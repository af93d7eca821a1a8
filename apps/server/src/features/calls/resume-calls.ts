import { setTimeout as wait } from "node:timers/promises";
import type { Carrier, CarrierLeg } from "@leadline/adapter-kit/carrier";
import { isLive } from "@leadline/contract/call-state";
import { listLivingProcesses } from "../../db/mark-process-alive.ts";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { followOrEnd } from "./dial-call.ts";
import { endCall } from "./end-call.ts";
import { endStrandedCall } from "./end-stranded-call.ts";
import type { LiveCall } from "./live-calls.ts";
import { noteForRestart } from "./remember-calls.ts";
import { claimLeftCall, type LeftCall, listLeftCalls } from "./remembered-calls.table.ts";
import { openRemembered, type Remembered } from "./seal-remembered.ts";
import { setHold } from "./set-hold.ts";

const carrierPatienceMs = 8_000;
const pauseMs = 500;

/**
 * Goes on with calls whose process has ended while their sound flows on: the carrier's leg and the media plane's are taken up by
 * what was written of them. One that cannot be is ended, as of when it was last seen, and its far end is told.
 */
export async function resumeCalls(deps: CallDeps, { silentForMs }: { silentForMs: number }): Promise<void> {
  const { database, processKey } = deps;
  const left = await database.withTransaction({ system: "find calls that go on" }, async (tx) =>
    listLeftCalls(tx, { livingProcesses: await listLivingProcesses(tx), processKey, silentForMs }),
  );
  await Promise.all(left.map((call) => resumeCall(deps, call)));
}

async function resumeCall(deps: CallDeps, left: LeftCall): Promise<void> {
  const { callSid } = left;
  if (!(await claim(deps, left))) return;
  try {
    const { media, leg } = openRemembered(deps.sealer, left);
    if (media === null) {
      // Also where the end cannot be written yet: nobody looks for it again.
      void hangUpFarEnd(deps, left, leg);
      await endStrandedCall(deps, callSid, "server-restarted");
      return;
    }
    await takeUp(deps, left, { media, leg });
    deps.log.info({ callSid }, "a call goes on after a restart");
  } catch (error) {
    deps.log.warn({ err: error, callSid }, "a call could not go on after a restart");
    deps.liveCalls.forget(callSid);
    await endStrandedCall(deps, callSid, "server-restarted");
  }
}

/** One that the database could not be asked for is looked for again. */
async function claim({ database, processKey, log }: CallDeps, left: LeftCall): Promise<boolean> {
  try {
    return await database.withTransaction({ system: "go on with a call" }, (tx) => claimLeftCall(tx, left, processKey));
  } catch (error) {
    log.warn({ err: error, callSid: left.callSid }, "a call that goes on could not be taken up yet");
    return false;
  }
}

/** Of a call whose sound ended with its process: nobody waits for it. Never rejects. */
async function hangUpFarEnd(deps: CallDeps, left: LeftCall, remembered: unknown): Promise<void> {
  try {
    const leg = await resumeLeg(deps, left, { remembered, onEvent() {} });
    await leg.hangUp();
  } catch (error) {
    deps.log.warn(
      { err: error, callSid: left.callSid },
      "the far end of a call that a restart cut off could not be told",
    );
  }
}

async function takeUp(deps: CallDeps, left: LeftCall, { media, leg: remembered }: Remembered) {
  const { callSid, organisationId, userId } = left;
  // Without its sound, it is taken up to be hung up on.
  const legs = await deps.mediaPlane.resume(media).catch(() => null);
  const live = deps.liveCalls.begin({
    callSid,
    organisationId,
    userId,
    carrierId: left.carrier,
    carrierLegId: legs?.carrierLegId ?? "",
    connection: legs && restoreConnection(deps, left, legs.browserLegId),
    startedAtMs: performance.now() - left.answeredAgoMs,
    muted: left.muted,
  });
  live.hold = left.held ? "asked" : "no";
  live.status = "in-progress";
  live.answeredAtMs = performance.now() - left.answeredAgoMs;
  live.seenBeforeAtMs = performance.now() - left.seenAgoMs;
  live.hasFarEnd = true;
  try {
    live.leg = await resumeLeg(deps, left, { remembered, onEvent: (event) => void followOrEnd(deps, live, event) });
    // Hung up while the carrier was still being opened.
    if (!isLive(live.status)) return await live.leg.hangUp();
    if (legs) await settle(deps, live);
    else await endCall(deps, live, { reason: "media-lost", sip: null, q850: 41 });
  } catch (error) {
    if (live.ending) return void (await live.ending);
    await Promise.allSettled([live.leg?.hangUp(), legs && deps.mediaPlane.close(legs.carrierLegId)]);
    throw error;
  }
}

/** Its carrier may not be there at once: the former process has its port still, or the network is on its way. */
async function resumeLeg(
  { carriers }: CallDeps,
  left: LeftCall,
  request: Parameters<NonNullable<Carrier["resume"]>>[0],
): Promise<CarrierLeg> {
  const givesUpAtMs = performance.now() + carrierPatienceMs;
  for (;;) {
    const resuming = carriers.ofCall(left).then((found) => found?.resume?.(request) ?? null);
    const leg = await resuming.catch((error: unknown) => {
      if (performance.now() > givesUpAtMs) throw error;
    });
    if (leg === null) throw new Error("The call's carrier is not there any more.");
    if (leg) return leg;
    await wait(pauseMs);
  }
}

function restoreConnection({ connections }: CallDeps, { mediaConnectionId, userId }: LeftCall, legId: string | null) {
  if (mediaConnectionId === null || legId === null) return null;
  return connections.restore({ id: mediaConnectionId, userId, legId });
}

/**
 * Both sides do as the row says, which is what people see: a transfer that was under way, and is not followed any further, had
 * the far end on hold for itself. A call on the other line has ended. And what is written of this one is ours from now on.
 */
async function settle(deps: CallDeps, live: LiveCall): Promise<void> {
  await setHold(deps, live, live.hold);
  const alone = { joinedWith: null, silenced: false };
  await live.inOrder(() => changeLiveCall(deps, live, { ...alone, transfer: { status: "unknown" } }));
  await noteForRestart(deps, live);
}
