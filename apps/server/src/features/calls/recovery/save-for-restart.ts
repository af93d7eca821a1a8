import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { rememberCall } from "./remembered-calls.table.ts";
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
  const leg = live.leg?.remember?.({ withKeys: media !== null }) ?? null;
  return leg && { media, leg, waitsForOther: live.hold === "for-other" };
}
const asText = (left: object | null): string | null => left && JSON.stringify(left);

/**
 * Stores the call's snapshot if it has changed, but never overwrites one already left to another process. Never
 * rejects.
 */
export function saveForRestart(deps: Deps, live: LiveCall): Promise<void> {
  return live.rememberInOrder(async () => {
    if (deps.liveCalls.find(live.callSid) !== live) return;
    const remembered = asText(stateToSave(deps, live));
    if (remembered === live.remembered) return;
    try {
      await write(deps, live, remembered);
    } catch (error) {
      deps.log.warn({ err: error, callSid: live.callSid }, "a call could not be prepared for a restart");
    }
  });
}

async function write(deps: Deps, live: LiveCall, remembered: string | null): Promise<void> {
  const { callSid } = live;
  const { processKey, sealer } = deps;
  const sealed = remembered && encryptSavedCall(sealer, callSid, remembered);
  await deps.database.withTransaction({ system: "prepare a call for a restart" }, (tx) =>
    rememberCall(tx, { callSid, processKey, remembered: sealed }),
  );
  live.remembered = remembered;
}

/** Also true if it has already been left to the next process. */
function outlivesUs(deps: Deps, live: LiveCall): boolean {
  if (live.ending) return false;
  return deps.liveCalls.find(live.callSid) !== live || stateToSave(deps, live)?.media != null;
}

async function leave(deps: Deps, live: LiveCall): Promise<boolean> {
  const left = stateToSave(deps, live);
  // If the rep has left two far ends to each other, neither call resumes alone.
  const partner = live.line === null ? live.joinedWith : null;
  if (!left?.media || (partner && !outlivesUs(deps, partner))) return false;
  try {
    await write(deps, live, asText(left));
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
  live.rememberInOrder(() => leave(deps, live));
