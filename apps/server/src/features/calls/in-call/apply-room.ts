import { flagNames, flagsOf } from "@leadline/contract/call-flags";
import { isLive } from "@leadline/contract/call-state";
import type { MediaConnection } from "../../media-connections/media-connections.ts";
import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { type CallAudio, roomOf } from "./room-of.ts";

type Deps = Pick<CallDeps, "mediaPlane" | "liveCalls">;

const audioFields = ["hold", ...flagNames] as const;
type AudioState = Pick<LiveCall, (typeof audioFields)[number]>;
export type AudioChange = { [Field in keyof AudioState]?: AudioState[Field] | undefined };

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

const toCallAudio = (live: LiveCall): CallAudio => ({
  ...flagsOf(live),
  legId: live.carrierLegId,
  onHold: live.hold !== "off" || live.transfer?.holds === true,
  joinedWith: live.joinedWith?.carrierLegId ?? null,
});

function set<Field extends keyof AudioState>(live: AudioState, field: Field, value: AudioState[Field] | undefined) {
  if (value !== undefined) live[field] = value;
}

/** Changes hold and flags of one person's calls. If the media plane rejects, they are rolled back. */
export async function changeAudio(deps: Deps, changes: ReadonlyMap<LiveCall, AudioChange>): Promise<void> {
  const before = [...changes].map(([live, change]) => {
    const was = { ...live };
    for (const field of audioFields) set(live, field, change[field]);
    return { live, change, was };
  });
  const [live] = changes.keys();
  if (!live) return;
  try {
    await applyRoom(deps, live);
  } catch (error) {
    for (const { live: each, change, was } of before)
      for (const field of audioFields)
        // Leave values that have been changed again in the meantime.
        if (each[field] === change[field]) set(each, field, was[field]);
    await applyRoom(deps, live).catch(() => {});
    throw error;
  }
}
