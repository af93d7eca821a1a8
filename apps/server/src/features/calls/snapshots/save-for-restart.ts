import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { writeSnapshot } from "./call-snapshots.table.ts";
import { type SavedCall, encryptSavedCall } from "./encrypt-saved-call.ts";

type Deps = Pick<CallDeps, "liveCalls" | "processKey" | "sealer" | "log"> & {
  database: Pick<CallDeps["database"], "withTransaction">;
  mediaPlane: Pick<CallDeps["mediaPlane"], "snapshot">;
};

/**
 * The snapshot from which another process resumes the call, or only hangs up its far end if the audio ends with this
 * process (media: null). Null if the carrier's leg ends with this process too.
 */
function stateToSave({ mediaPlane }: Deps, live: LiveCall): SavedCall | null {
  if (live.status !== "in-progress" || live.ending) return null;
  const media = mediaPlane.snapshot(live.carrierLegId);
  const leg = live.leg?.snapshot?.({ withKeys: media !== null }) ?? null;
  return leg && { media, leg, waitsForOther: live.hold === "for-other-line" };
}
const asText = (state: object | null): string | null => state && JSON.stringify(state);

/**
 * Stores the call's snapshot if it has changed, but never overwrites one already left to another process. Never
 * rejects.
 */
export function saveForRestart(deps: Deps, live: LiveCall): Promise<void> {
  return live.snapshotInOrder(async () => {
    if (deps.liveCalls.find(live.callSid) !== live) return;
    const snapshot = asText(stateToSave(deps, live));
    if (snapshot === live.snapshot) return;
    try {
      await write(deps, live, snapshot);
    } catch (error) {
      deps.log.warn({ err: error, callSid: live.callSid }, "a call could not be prepared for a restart");
    }
  });
}

async function write(deps: Deps, live: LiveCall, snapshot: string | null): Promise<void> {
  const { callSid } = live;
  const { processKey, sealer } = deps;
  const sealed = snapshot && encryptSavedCall(sealer, callSid, snapshot);
  await deps.database.withTransaction({ system: "prepare a call for a restart" }, (tx) =>
    writeSnapshot(tx, { callSid, processKey, snapshot: sealed }),
  );
  live.snapshot = snapshot;
}

/** Also true if it has already been left to the next process. */
function outlivesUs(deps: Deps, live: LiveCall): boolean {
  if (live.ending) return false;
  return deps.liveCalls.find(live.callSid) !== live || stateToSave(deps, live)?.media != null;
}

async function leave(deps: Deps, live: LiveCall): Promise<boolean> {
  const state = stateToSave(deps, live);
  // If the rep has left two far ends to each other, neither call resumes alone.
  const partner = live.line === null ? live.joinedWith : null;
  if (!state?.media || (partner && !outlivesUs(deps, partner))) return false;
  try {
    await write(deps, live, asText(state));
  } catch (error) {
    deps.log.warn({ err: error, callSid: live.callSid }, "a call could not be saved for the next process");
    return false;
  }
  if (live.ending) return false;
  live.leg?.leave?.();
  deps.liveCalls.forget(live.callSid);
  deps.log.info({ callSid: live.callSid }, "a call was saved for the next process");
  return true;
}

/** Leaves a call to the next process. False if it can't be resumed. */
export const leaveForRestart = (deps: Deps, live: LiveCall): Promise<boolean> =>
  live.snapshotInOrder(() => leave(deps, live));
