import { isLive } from "@leadline/contract/call-state";
import type { RestoredLeg } from "../../../media-plane/media-plane.ts";
import { applyRoom } from "../in-call/apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { followCarrierLeg } from "../in-call/follow-carrier-leg.ts";
import { endCall } from "../in-call/end-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import type { OrphanedCall } from "../snapshots/call-snapshots.table.ts";
import { resumeLeg } from "./resume-leg.ts";
import type { SavedCall } from "../snapshots/encrypt-saved-call.ts";
import { signalHold } from "../in-call/signal-hold.ts";

interface RestoredCall {
  orphan: OrphanedCall;
  snapshot: SavedCall;
  /** Null if the audio is gone: the call is only restored to hang up on its far end. */
  audio: RestoredLeg | null;
  live: LiveCall;
}

const mediaLost = { reason: "media-lost", sip: null, q850: 41 } as const;
const restarted = { reason: "server-restarted", sip: null, q850: 41 } as const;

/**
 * Resumes one person's calls as they were. A call that can't be resumed ends like any other, without affecting the
 * rest.
 */
export async function restoreCalls(deps: CallDeps, calls: readonly Pick<RestoredCall, "orphan" | "snapshot">[]) {
  const mediaSnapshots = calls.map(({ snapshot: { media } }) => media);
  const restoredLegs = await deps.mediaPlane.restore(mediaSnapshots).catch((error: unknown) => {
    deps.log.warn({ err: error }, "the audio of calls could not be restored after a restart");
    return [];
  });
  const taken = calls.map((call, i): RestoredCall => {
    const audio = restoredLegs[i] ?? null;
    return { ...call, audio, live: begin(deps, { ...call, audio }) };
  });
  for (const each of taken) relate(deps, each, taken);
  const restored = restoreAudio(deps, taken);
  await Promise.all(taken.map((each) => continueCall(deps, each, restored)));
}

function begin(
  { liveCalls, connections }: CallDeps,
  { orphan, snapshot, audio }: Omit<RestoredCall, "live">,
): LiveCall {
  const { callSid, organisationId, userId, carrier: carrierId, mediaConnectionId, line, flags } = orphan;
  const legId = audio?.browserLegId ?? null;
  const live = liveCalls.begin({
    callSid,
    organisationId,
    userId,
    carrierId,
    carrierLegId: audio?.carrierLegId ?? "",
    connection:
      mediaConnectionId === null || legId === null
        ? null
        : connections.restore({ id: mediaConnectionId, userId, legId }),
    startedAtMs: performance.now() - orphan.answeredAgoMs,
    line,
    ...flags,
  });
  live.hold = !orphan.held ? "off" : snapshot.waitsForOther ? "for-other-line" : "requested";
  live.status = "in-progress";
  live.answeredAtMs = performance.now() - orphan.answeredAgoMs;
  live.seenBeforeAtMs = performance.now() - orphan.seenAgoMs;
  live.hasFarEnd = true;
  return live;
}

/** Restores what the rows say about each other. A relation to a call that can't be resumed is dropped. */
function relate({ liveCalls }: CallDeps, { orphan, live }: RestoredCall, taken: readonly RestoredCall[]): void {
  live.joinedWith = taken.find((each) => each.live.callSid === orphan.joinedWith)?.live ?? null;
  if (live.joinedWith === null) live.silenced = false;
  if (live.line === null || liveCalls.findOtherLine(live)) return;
  live.line = 1;
  if (live.hold === "for-other-line") live.hold = "off";
}

/**
 * Restores who hears whom. If one of two calls has lost its audio, that follows once it has been hung up. Returns the
 * errors of calls whose audio couldn't be restored.
 */
async function restoreAudio(deps: CallDeps, taken: readonly RestoredCall[]): Promise<ReadonlyMap<LiveCall, unknown>> {
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
  const withAudio = taken.filter(({ audio }) => audio !== null);
  const used = new Set(deps.liveCalls.all().map(({ connection }) => connection?.legId));
  const there = new Set(withAudio.flatMap(({ audio }) => audio?.browserLegId ?? []));
  for (const legId of there) if (!used.has(legId)) await mediaPlane.close(legId).catch(() => {});
  const arranged = new Set<LiveCall>();
  for (const { live } of withAudio) {
    const other = live.line === null ? live.joinedWith : (deps.liveCalls.findOtherLine(live) ?? null);
    if (arranged.has(live) || (other && other.carrierLegId === "")) continue;
    const both = [live, other].filter((each) => each !== null);
    for (const each of both) arranged.add(each);
    await attempt(both, () => applyRoom(deps, live));
  }
  return failures;
}

async function continueCall(
  deps: CallDeps,
  { orphan, snapshot, audio, live }: RestoredCall,
  restored: Promise<ReadonlyMap<LiveCall, unknown>>,
): Promise<void> {
  const { callSid } = orphan;
  try {
    const offer = audio?.offer;
    live.leg = await resumeLeg(deps, orphan, {
      snapshot: snapshot.leg,
      ...(offer != null && { offer }),
      onEvent: (event) => void followCarrierLeg(deps, live, event),
    });
    // The rep hung up while the carrier was being opened.
    if (!isLive(live.status)) return await live.leg.hangUp();
    if (!audio) return void (await endCall(deps, live, mediaLost));
    // The rep had left this call to another far end, which is gone.
    if (live.line === null && !live.joinedWith) return void (await endCall(deps, live, restarted));
    const failures = await restored;
    if (failures.has(live)) throw failures.get(live);
    await reportRestored(deps, live);
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
async function reportRestored(deps: CallDeps, live: LiveCall): Promise<void> {
  void signalHold(deps, live);
  await live.inOrder(() =>
    changeLiveCall(deps, live, {
      held: live.hold !== "off",
      mediaConnectionId: live.connection?.id ?? null,
      ...(!live.joinedWith && { joinedWith: null, silenced: false }),
      transfer: { status: "unknown" },
    }),
  );
  await saveForRestart(deps, live);
}
