import type { CallUpdate } from "@leadline/contract/call-flags";
import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { changeAudio, type AudioChange } from "./apply-room.ts";
import type { CallDeps } from "../call-deps.ts";
import type { CallChange } from "../calls.table.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { findOwnLiveCall, transferUnderWay } from "./find-own-live-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { signalHold } from "./signal-hold.ts";
import { saveForRestart } from "../snapshots/save-for-restart.ts";
import { reportUnchangedAudio } from "./report-unchanged-audio.ts";
import { orReportDelay } from "../retry-write.ts";

interface UpdateCall {
  caller: Member;
  callSid: string;
  change: CallUpdate;
}

/** Mutes, holds or silences a call, or undoes that. The audio changes first, then the tabs are notified. */
export async function updateCall(deps: CallDeps, { caller, callSid, change }: UpdateCall): Promise<Call> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const { held, ...flags } = change;
  const { muted, silenced } = flags;
  const other = deps.liveCalls.findOtherLine(live);
  const areJoined = other !== undefined && live.joinedWith === other;
  const otherToHold = held === false && !areJoined && other?.hold === "off" ? other : null;
  if (held !== undefined) refuseHold(deps, live, otherToHold);
  if (silenced !== undefined && !areJoined)
    throw new Problem("not-supported", "You can only mute others in a conference.");
  // Mute applies to the person, so to both lines.
  const both = muted === undefined ? {} : { muted };
  const own: CallChange = { ...flags, ...(held !== undefined && { held }) };
  const others: CallChange = { ...both, ...(otherToHold && { held: true }) };
  const changes = new Map([[live, own]]);
  if (other && Object.keys(others).length > 0) changes.set(other, others);
  const audioChanges = [...changes].map(([call, { held: holds, ...rest }]): [LiveCall, AudioChange] => {
    const hold = call === otherToHold ? "for-other-line" : holds ? "requested" : "off";
    return [call, { ...rest, ...(holds !== undefined && { hold }) }];
  });
  await changeAudio(deps, new Map(audioChanges)).catch(reportUnchangedAudio(live));
  if (otherToHold) void signalHold(deps, otherToHold);
  if (held !== undefined) await signalHold(deps, live);
  // A transfer requested meanwhile must not end a hold that the person asked for.
  if (held && live.transfer) live.transfer.holds = false;
  // The waiting call may be off hold again by now, if the other one has hung up.
  const withCurrentHold = (call: LiveCall, callChange: CallChange): CallChange =>
    callChange.held === undefined ? callChange : { ...callChange, held: call.hold !== "off" };
  const write = ([call, callChange]: [LiveCall, CallChange]) =>
    call.inOrder(() => changeLiveCall(deps, call, withCurrentHold(call, callChange)));
  const written = Promise.all([...changes].map(write)).then(([changed]) => changed);
  const changed = await orReportDelay(written, "The change is in effect, but your other tabs don’t show it yet.");
  if (!changed) throw new Problem("call-ended", "This call has ended.");
  for (const call of changes.keys()) void saveForRestart(deps, call);
  return changed;
}

function refuseHold(deps: CallDeps, live: LiveCall, otherToHold: LiveCall | null): void {
  if (!deps.carriers.capabilities(live.carrierId).hold)
    throw new Problem("not-supported", "Your carrier doesn’t support hold.");
  if (live.status !== "in-progress") throw new Problem("not-supported", "You can hold a call once it’s answered.");
  if (live.transfer?.underWay) throw transferUnderWay();
  if (otherToHold && otherToHold.status !== "in-progress")
    throw new Problem("not-supported", "Wait until they answer on your other line, or hang up there first.");
}
