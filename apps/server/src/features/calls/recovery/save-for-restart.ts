import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { rememberCall } from "./remembered-calls.table.ts";
import { type SavedCall, encryptSavedCall } from "./encrypt-saved-call.ts";

type Deps = Pick<CallDeps, "liveCalls" | "processKey" | "sealer" | "log"> & {
  database: Pick<CallDeps["database"], "withTransaction">;
  mediaPlane: Pick<CallDeps["mediaPlane"], "snapshot">;
};

/**
 * With what another process goes on with the call, or hangs up at its far end where the sound ends with this one (media: null);
 * null where its carrier's leg does, too.
 */
function stateToSave({ mediaPlane }: Deps, live: LiveCall): SavedCall | null {
  if (live.status !== "in-progress" || live.ending) return null;
  const media = mediaPlane.snapshot(live.carrierLegId);
  const leg = live.leg?.remember?.({ withKeys: media !== null }) ?? null;
  return leg && { media, leg, waitsForOther: live.hold === "for-other" };
}
const asText = (left: object | null): string | null => left && JSON.stringify(left);

/** Writes down what has changed of it; each of these replaces the last, and none what the next process was left. Never rejects. */
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

/** Also where it has been left to the next process already. */
function outlivesUs(deps: Deps, live: LiveCall): boolean {
  if (live.ending) return false;
  return deps.liveCalls.find(live.callSid) !== live || stateToSave(deps, live)?.media != null;
}

async function leave(deps: Deps, live: LiveCall): Promise<boolean> {
  const left = stateToSave(deps, live);
  // Of two who were left to each other neither goes on alone.
  const partner = live.line === null ? live.joinedWith : null;
  if (!left?.media || (partner && !outlivesUs(deps, partner))) return false;
  try {
    await write(deps, live, asText(left));
  } catch (error) {
    deps.log.warn({ err: error, callSid: live.callSid }, "a call could not be left to the next process");
    return false;
  }
  if (live.ending) return false;
  live.leg?.leave?.();
  deps.liveCalls.forget(live.callSid);
  deps.log.info({ callSid: live.callSid }, "a call goes on without this process");
  return true;
}

/** Lets go of a call that goes on without this process; false where it cannot. */
export const leaveForRestart = (deps: Deps, live: LiveCall): Promise<boolean> =>
  live.rememberInOrder(() => leave(deps, live));
