import type { Carrier } from "@leadline/adapter-kit/carrier";

import type { Trunk } from "../trunk.ts";
import { causeOfRefusal } from "./cause-of.ts";
import { establish } from "./established.ts";
import { LegSnapshot, resumeDialog } from "./leg-snapshot.ts";
import { createLocalDescription } from "./session-description.ts";
import { createTrunkLeg, type TrunkLeg } from "./trunk-leg.ts";

/** Versions that were sent but not saved (RFC 3264, section 8: each is greater than the last). */
const unsentVersions = 1_000;

/** Resumes a call of a process that has ended. */
export async function resumeLeg(
  trunk: Trunk,
  request: Parameters<NonNullable<Carrier["resume"]>>[0],
  onOver: () => void,
): Promise<TrunkLeg> {
  const snapshot = LegSnapshot.parse(request.snapshot);
  const { dialog, target, theirs, allowed, knowsReplaces, local: last } = snapshot;
  const ourAddress = await trunk.transport.ourAddress(target.address);
  const resumed = { ...last, version: last.version + unsentVersions };
  const local = createLocalDescription(request.offer ?? last.offered, trunk.settings.codecs, resumed);
  local.reachedAt(ourAddress);
  trunk.transport.aim(dialog.callId, target);
  trunk.transport.allowToContinue(target.address);
  const leg = createTrunkLeg(trunk, {
    peer: () => target.address,
    onEvent: request.onEvent,
    onOver() {
      trunk.transport.forgetAim(dialog.callId);
      onOver();
    },
  });
  const call = establish(trunk, resumeDialog(trunk.core, dialog), {
    accepted: { allowed, knowsReplaces, hasMoved: request.offer !== undefined },
    // As the caller: the answer was acknowledged long ago.
    weAre: "uac",
    local,
    answer: theirs,
    unusable: causeOfRefusal(488),
    emit: leg.emit,
    finish: leg.finish,
  });
  leg.answered(call, target);
  return leg.port;
}
