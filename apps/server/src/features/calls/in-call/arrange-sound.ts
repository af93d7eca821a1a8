import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";

/** Brings a person's browser to whom they talk with: both far ends where these are joined, else the one that does not wait. */
export async function arrangeSound(
  { mediaPlane, liveCalls }: CallDeps,
  live: LiveCall,
  browserLegId = live.connection?.legId,
): Promise<void> {
  if (browserLegId === undefined) return;
  const other = liveCalls.findBeside(live);
  if (other && live.joinedWith === other) return mediaPlane.join([browserLegId, live.carrierLegId, other.carrierLegId]);
  const talksWith = other && live.hold !== "no" && other.hold === "no" ? other : live;
  await mediaPlane.bridge(browserLegId, talksWith.carrierLegId);
}
