import type { Carrier, CarrierHangUpCause, CarrierLegEvent, HangUpNotice } from "@leadline/adapter-kit/carrier";

import type { Trunk } from "../trunk.ts";
import { causeOfRefusal } from "./cause-of.ts";
import type { DialledLeg } from "./dial-leg.ts";
import { establish } from "./established.ts";
import { tellWithPlacedAudio } from "./place-audio.ts";
import { notices } from "./reason.ts";
import { RememberedLeg, resumeDialog } from "./remembered-leg.ts";
import { createLocalDescription } from "./session-description.ts";

/** Versions that were told and not written down (RFC 3264, section 8: each is greater than the last). */
const untoldVersions = 1_000;

/** Goes on with a call of a process that has ended. */
export async function resumeLeg(
  trunk: Trunk,
  request: Parameters<NonNullable<Carrier["resume"]>>[0],
  onOver: () => void,
): Promise<DialledLeg> {
  const remembered = RememberedLeg.parse(request.remembered);
  const { dialog, target, theirs, allowed, knowsReplaces, local: last } = remembered;
  const ourAddress = await trunk.transport.ourAddress(target.address);
  const goneOn = { ...last, version: last.version + untoldVersions };
  const local = createLocalDescription(request.offer ?? last.offered, trunk.settings.codecs, goneOn);
  local.reachedAt(ourAddress);
  trunk.transport.aim(dialog.callId, target);
  trunk.transport.admit(target.address);
  let over = false;

  const tellNow = (event: CarrierLegEvent): void => {
    if (!over) request.onEvent(event);
  };
  const tell = tellWithPlacedAudio({
    ways: trunk,
    peer: () => target.address,
    tell: tellNow,
    onRefused(cause) {
      if (over) return;
      void talking.bye(notices.audioAddressRefused);
      finish(cause);
    },
  });
  function close(): void {
    over = true;
    trunk.transport.forgetAim(dialog.callId);
    onOver();
  }
  function finish(cause: CarrierHangUpCause): void {
    if (over) return;
    tellNow({ type: "ended", cause });
    close();
  }
  const talking = establish(trunk, resumeDialog(trunk.core, dialog), {
    accepted: { allowed, knowsReplaces, hasMoved: request.offer !== undefined },
    // As who called: the answer was acknowledged long ago.
    weAre: "uac",
    local,
    answer: theirs,
    unusable: causeOfRefusal(488),
    tell,
    finish,
  });

  async function hangUp(why?: HangUpNotice): Promise<void> {
    if (over) return;
    close();
    await talking.bye(why);
  }

  return {
    hangUp,
    setHold: talking.setHold,
    transfer: talking.transfer,
    replaceable: talking.replaceable,
    ...(trunk.settings.keys === "info" && { sendDigits: talking.sendDigits }),
    offerDigits: talking.offerDigits,
    remember(asked) {
      const known = talking.remember(asked);
      return known && { ...known, target };
    },
    leave() {
      if (over) return;
      close();
      talking.leave();
    },
    async end(cause) {
      tellNow({ type: "ended", cause });
      await hangUp();
    },
  };
}
