import { isLive } from "@leadline/contract/call-state";
import type { MediaConnection } from "../../media-connections/media-connections.ts";
import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { type CallAudio, roomOf } from "./room-of.ts";

type Deps = Pick<CallDeps, "mediaPlane" | "liveCalls">;
export type AudioChange = Partial<Pick<LiveCall, "hold" | "muted" | "silenced">>;

/**
 * Derives the room of the person's calls at the moment it is applied, and applies it. If one of two calls ends
 * meanwhile, the room is applied again for the other one.
 */
export function applyRoom({ mediaPlane, liveCalls }: Deps, live: LiveCall): Promise<void> {
  async function arrange(): Promise<void> {
    const other = live.line === null ? live.joinedWith : liveCalls.findOtherLine(live);
    const calls = [live, other].filter((call) => call != null).filter(hasAudio);
    try {
      const room = roomOf(calls.toSorted(byLine).map(toCallAudio), live.connection?.legId ?? null);
      await mediaPlane.apply({ ...room, revision: liveCalls.nextRevision() });
    } catch (error) {
      if (!isLive(live.status) || calls.every(hasAudio)) throw error;
      await arrange();
    }
  }
  return liveCalls.arrangeInOrder(live, arrange);
}

/**
 * Moves the calls' audio to another browser connection. If the media plane rejects, the calls keep their former
 * connection.
 */
export async function moveAudio(
  deps: Deps,
  calls: readonly [LiveCall, ...LiveCall[]],
  connection: MediaConnection | null,
): Promise<void> {
  const before = calls.map((live) => live.connection);
  for (const live of calls) live.connection = connection;
  try {
    await applyRoom(deps, calls[0]);
  } catch (error) {
    for (const [i, live] of calls.entries()) if (live.connection === connection) live.connection = before[i] ?? null;
    throw error;
  }
}

const hasAudio = ({ status, carrierLegId }: LiveCall): boolean => isLive(status) && carrierLegId !== "";
const byLine = (one: LiveCall, other: LiveCall): number => (one.line ?? 0) - (other.line ?? 0);

const toCallAudio = ({ carrierLegId, hold, transfer, muted, silenced, joinedWith }: LiveCall): CallAudio => ({
  legId: carrierLegId,
  onHold: hold !== "off" || transfer?.holds === true,
  muted,
  silenced,
  joinedWith: joinedWith?.carrierLegId ?? null,
});

/** Changes hold, mute and silence of one person's calls. If the media plane rejects, they are rolled back. */
export async function changeAudio(deps: Deps, changes: ReadonlyMap<LiveCall, AudioChange>): Promise<void> {
  const before = [...changes].map(([live, change]) => {
    const { hold, muted, silenced } = live;
    Object.assign(live, change);
    return { live, change, was: { hold, muted, silenced } };
  });
  const [live] = changes.keys();
  if (!live) return;
  try {
    await applyRoom(deps, live);
  } catch (error) {
    for (const { live: each, change, was } of before) {
      // Leave values that have been changed again in the meantime.
      if (change.hold !== undefined && each.hold === change.hold) each.hold = was.hold;
      if (change.muted !== undefined && each.muted === change.muted) each.muted = was.muted;
      if (change.silenced !== undefined && each.silenced === change.silenced) each.silenced = was.silenced;
    }
    await applyRoom(deps, live).catch(() => {});
    throw error;
  }
}
