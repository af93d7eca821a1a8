import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import type { CallDeps } from "./call-deps.ts";
import { findOwnLiveCall } from "./find-own-live-call.ts";

/** Presses keys, in the media or through the carrier, as the carrier declares. */
export async function sendCallDigits(
  deps: CallDeps,
  { caller, callSid, digits }: { caller: Member; callSid: string; digits: string },
): Promise<void> {
  const live = await findOwnLiveCall(deps, { caller, callSid });
  const way = deps.carriers.capabilities(live.carrierId).digits;
  if (way === null) throw new Problem("not-supported", "Your carrier cannot send keys.");
  if (!live.hasFarEnd) throw new Problem("not-supported", "Keys can be pressed once the call is answered.");
  // A leg that can do it itself was asked to, by its trunk's settings.
  if (live.leg?.sendDigits) await live.leg.sendDigits(digits);
  else if (way === "media") await deps.mediaPlane.sendDigits(live.carrierLegId, digits);
}
