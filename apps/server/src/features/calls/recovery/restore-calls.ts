import { isLive } from "@leadline/contract/call-state";
import type { RestoredLeg } from "../../../media-plane/media-plane.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { followOrEnd } from "../outbound/dial-call.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { saveForRestart } from "./save-for-restart.ts";
import type { LeftCall } from "./remembered-calls.table.ts";
import { resumeLeg } from "./resume-leg.ts";
import type { SavedCall } from "./encrypt-saved-call.ts";
import { signalHold } from "../in-call/signal-hold.ts";

interface RestoredCall {
  left: LeftCall;
  remembered: SavedCall;
  /** Null if the audio is gone: the call is only restored to hang up on its far end. */
  sound: RestoredLeg | null;
  live: LiveCall;
}

const mediaLost = { reason: "media-lost", sip: null, q850: 41 } as const;
const restarted = { reason: "server-restarted", sip: null, q850: 41 } as const;

/**
 * Resumes one person's calls as they were. A call that can't be resumed ends like any other, without affecting the
 * rest.
 */
export async function restoreCalls(deps: CallDeps, calls: readonly Pick<RestoredCall, "left" | "remembered">[]) {
  const remembered = calls.map(({ remembered: { media } }) => media);
  const sounds = await deps.mediaPlane.restore(remembered).catch((error: unknown) => {
    deps.log.warn({ err: error }, "the audio of calls could not be restored after a restart");
    return [];
  });
  const taken = calls.map((call, i): RestoredCall => {
    const sound = sounds[i] ?? null;
    return { ...call, sound, live: begin(deps, { ...call, sound }) };
  });
  for (const each of taken) relate(deps, each, taken);
  const restored = restoreSound(deps, taken);
  await Promise.all(taken.map((each) => continueCall(deps, each, restored)));
}

function begin(
  { liveCalls, connections }: CallDeps,
  { left, remembered, sound }: Omit<RestoredCall, "live">,
): LiveCall {
  const { callSid, organisationId, userId, carrier: carrierId, mediaConnectionId, line, muted } = left;
  const legId = sound?.browserLegId ?? null;
  const live = liveCalls.begin({
    callSid,
    organisationId,
    userId,
    carrierId,
    carrierLegId: sound?.carrierLegId ?? "",
    connection:
      mediaConnectionId === null || legId === null
        ? null
        : connections.restore({ id: mediaConnectionId, userId, legId }),
    startedAtMs: performance.now() - left.answeredAgoMs,
    line,
    muted,
  });
  live.hold = !left.held ? "no" : remembered.waitsForOther ? "for-other" : "asked";
  live.status = "in-progress";
  live.answeredAtMs = performance.now() - left.answeredAgoMs;
  live.seenBeforeAtMs = performance.now() - left.seenAgoMs;
  live.hasFarEnd = true;
  return live;
}

/** Restores what the rows say about each other. A relation to a call that can't be resumed is dropped. */
function relate({ liveCalls }: CallDeps, { left, live }: RestoredCall, taken: readonly RestoredCall[]): void {
  live.joinedWith = taken.find((each) => each.live.callSid === left.joinedWith)?.live ?? null;
  live.silenced = live.joinedWith !== null && left.silenced;
  if (live.line === null || liveCalls.findBeside(live)) return;
  live.line = 1;
  if (live.hold === "for-other") live.hold = "no";
}

/**
 * Restores who hears whom. If one of two calls has lost its audio, that follows once it has been hung up. Returns the
 * errors of calls whose audio couldn't be restored.
 */
async function restoreSound(deps: CallDeps, taken: readonly RestoredCall[]): Promise<ReadonlyMap<LiveCall, unknown>> {
  const { mediaPlane } = deps;
  const failures = new Map<LiveCall, unknown>();
  /** If one has ended meanwhile, its end applies the room of the remaining one. */
  async function attempt(calls: readonly LiveCall[], work: () => Promise<unknown>): Promise<void> {
    try {
      if (calls.every(({ status }) => isLive(status))) await work();
    } catch (error) {
      if (calls.every(({ status }) => isLive(status))) for (const each of calls) failures.set(each, error);
    }
  }
  const withSound = taken.filter(({ sound }) => sound !== null);
  const used = new Set(deps.liveCalls.all().map(({ connection }) => connection?.legId));
  const there = new Set(withSound.flatMap(({ sound }) => sound?.browserLegId ?? []));
  for (const legId of there) if (!used.has(legId)) await mediaPlane.close(legId).catch(() => {});
  const arranged = new Set<LiveCall>();
  for (const { live } of withSound) {
    const other = live.line === null ? live.joinedWith : (deps.liveCalls.findBeside(live) ?? null);
    if (arranged.has(live) || (other && other.carrierLegId === "")) continue;
    const both = [live, other].filter((each) => each !== null);
    for (const each of both) arranged.add(each);
    await attempt(both, () => applyRoom(deps, live));
  }
  return failures;
}

async function continueCall(
  deps: CallDeps,
  { left, remembered, sound, live }: RestoredCall,
  restored: Promise<ReadonlyMap<LiveCall, unknown>>,
): Promise<void> {
  const { callSid } = left;
  try {
    const offer = sound?.offer;
    live.leg = await resumeLeg(deps, left, {
      remembered: remembered.leg,
      ...(offer != null && { offer }),
      onEvent: (event) => void followOrEnd(deps, live, event),
    });
    // The rep hung up while the carrier was being opened.
    if (!isLive(live.status)) return await live.leg.hangUp();
    if (!sound) return void (await endCall(deps, live, mediaLost));
    // The rep had left this call to another far end, which is gone.
    if (live.line === null && !live.joinedWith) return void (await endCall(deps, live, restarted));
    const failures = await restored;
    if (failures.has(live)) throw failures.get(live);
    await settle(deps, live);
    deps.log.info({ callSid }, "a call was restored after a restart");
  } catch (error) {
    deps.log.warn({ err: error, callSid }, "a call could not be restored after a restart");
    await endCall(deps, live, restarted);
  }
}

/**
 * Signals the restored state to the far end and the row. A transfer that was under way is no longer followed, so its
 * hold ends. Then saves our own snapshot.
 */
async function settle(deps: CallDeps, live: LiveCall): Promise<void> {
  void signalHold(deps, live);
  await live.inOrder(() =>
    changeLiveCall(deps, live, {
      held: live.hold !== "no",
      mediaConnectionId: live.connection?.id ?? null,
      ...(!live.joinedWith && { joinedWith: null, silenced: false }),
      transfer: { status: "unknown" },
    }),
  );
  await saveForRestart(deps, live);
}
