import { listLivingProcesses } from "../../../db/mark-process-alive.ts";
import type { CallDeps } from "../call-deps.ts";
import { endStrandedCall } from "../in-call/end-stranded-call.ts";
import { claimOrphanedCall, type OrphanedCall, listOrphanedCalls } from "../snapshots/call-snapshots.table.ts";
import { resumeLeg } from "./resume-leg.ts";
import { decryptSavedCall, type SavedCall } from "../snapshots/encrypt-saved-call.ts";
import { restoreCalls } from "./restore-calls.ts";

/**
 * Resumes calls whose process has ended while their audio can continue, from the stored snapshots of carrier and media
 * legs; one person's calls together. A call that can't be resumed ends as of when it was last seen, and its far end is
 * hung up.
 */
export async function resumeCalls(deps: CallDeps, { silentForMs }: { silentForMs: number }): Promise<void> {
  const { database, processKey } = deps;
  const orphans = await database.withTransaction({ system: "find calls to restore" }, async (tx) =>
    listOrphanedCalls(tx, { livingProcesses: await listLivingProcesses(tx), processKey, silentForMs }),
  );
  const ofPeople = Map.groupBy(orphans, ({ userId }) => userId);
  await Promise.all([...ofPeople.values()].map((calls) => resumeCallsOf(deps, calls)));
}

async function resumeCallsOf(deps: CallDeps, orphans: readonly OrphanedCall[]): Promise<void> {
  const calls = (await claim(deps, orphans)).map((call) => ({ orphan: call, snapshot: read(deps, call) }));
  await Promise.all([
    restoreCalls(
      deps,
      calls.flatMap(({ orphan: call, snapshot }) =>
        snapshot === null || snapshot.media === null ? [] : [{ orphan: call, snapshot }],
      ),
    ),
    ...calls.map(async ({ orphan: call, snapshot }) => {
      if (snapshot !== null && snapshot.media !== null) return;
      // Even if the end can't be stored yet: nobody will look for this call again.
      if (snapshot) void hangUpFarEnd(deps, { orphan: call, snapshot });
      await endStrandedCall(deps, call.callSid, { reason: "server-restarted" });
    }),
  ]);
}

/** Null if it was encrypted with another secret key. */
function read({ sealer, log }: CallDeps, orphan: OrphanedCall): SavedCall | null {
  try {
    return decryptSavedCall(sealer, orphan);
  } catch (error) {
    log.warn({ err: error, callSid: orphan.callSid }, "the saved state of a call could not be read after a restart");
    return null;
  }
}

/** Claims these calls and returns those that are ours. If the database fails, they are looked for again. */
async function claim(
  { database, processKey, log }: CallDeps,
  orphans: readonly OrphanedCall[],
): Promise<OrphanedCall[]> {
  try {
    return await database.withTransaction({ system: "restore calls" }, async (tx) => {
      const claimed: OrphanedCall[] = [];
      for (const call of orphans) if (await claimOrphanedCall(tx, call, processKey)) claimed.push(call);
      return claimed;
    });
  } catch (error) {
    const callSids = orphans.map(({ callSid }) => callSid);
    log.warn({ err: error, callSids }, "calls could not be restored yet");
    return [];
  }
}

/** Hangs up a call whose audio ended with its process. Runs in the background and never rejects. */
async function hangUpFarEnd(
  deps: CallDeps,
  { orphan, snapshot: { leg } }: { orphan: OrphanedCall; snapshot: SavedCall },
): Promise<void> {
  try {
    const resumed = await resumeLeg(deps, orphan, { snapshot: leg, onEvent() {} });
    await resumed.hangUp();
  } catch (error) {
    deps.log.warn(
      { err: error, callSid: orphan.callSid },
      "the far end of a call that a restart cut off could not be told",
    );
  }
}
