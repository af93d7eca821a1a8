import { z } from "zod";
import { listLivingProcesses } from "../../db/mark-process-alive.ts";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { followOrEnd } from "./dial-call.ts";
import { endCall } from "./end-call.ts";
import { endStrandedCall } from "./end-stranded-call.ts";
import type { LiveCall } from "./live-calls.ts";
import { noteForRestart } from "./remember-calls.ts";
import { claimLeftCall, type LeftCall, listLeftCalls } from "./remembered-calls.table.ts";

const Remembered = z.object({ media: z.unknown(), leg: z.unknown() });

/**
 * Goes on with calls whose process has ended while their sound flows on: the carrier's leg and the media plane's are taken up by
 * what was written of them. One that cannot be is ended, as of when it was last seen.
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
  const isOurs = await deps.database.withTransaction({ system: "go on with a call" }, (tx) =>
    claimLeftCall(tx, left, deps.processKey),
  );
  if (!isOurs) return;
  try {
    await takeUp(deps, left);
    deps.log.info({ callSid }, "a call goes on after a restart");
  } catch (error) {
    deps.log.warn({ err: error, callSid }, "a call could not go on after a restart");
    deps.liveCalls.forget(callSid);
    await endStrandedCall(deps, callSid, "server-restarted");
  }
}

async function takeUp(deps: CallDeps, left: LeftCall): Promise<void> {
  const { callSid, organisationId, userId } = left;
  const { media, leg } = Remembered.parse(left.remembered);
  const { id, carrier } = await deps.carriers.ofOrganisation(organisationId);
  if (id !== left.carrier || !carrier.resume) throw new Error("The call's carrier is not in use any more.");
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
  live.hasFarEnd = true;
  try {
    live.leg = await carrier.resume({ remembered: leg, onEvent: (event) => void followOrEnd(deps, live, event) });
  } catch (error) {
    if (legs) await deps.mediaPlane.close(legs.carrierLegId);
    throw error;
  }
  if (!legs) {
    await endCall(deps, live, { reason: "media-lost", sip: null, q850: 41 });
    return;
  }
  await deps.mediaPlane.setHeld(legs.carrierLegId, left.held);
  await settle(deps, live);
}

function restoreConnection({ connections }: CallDeps, { mediaConnectionId, userId }: LeftCall, legId: string | null) {
  if (mediaConnectionId === null || legId === null) return null;
  return connections.restore({ id: mediaConnectionId, userId, legId });
}

/**
 * A transfer that was under way is not followed any further, a call on the other line has ended, and what is written of this one
 * is ours from now on.
 */
async function settle(deps: CallDeps, live: LiveCall): Promise<void> {
  const alone = { joinedWith: null, silenced: false };
  await live.inOrder(() => changeLiveCall(deps, live, { ...alone, transfer: { status: "unknown" } }));
  await noteForRestart(deps, live);
}
