import type { SessionState } from "./session-state.ts";

/** What an rtpengine should do beyond passing packets on. */
export interface DesiredState {
  blocksNear: boolean;
  blocksFar: boolean;
  silencesNear: boolean;
  /** What it plays to the far end. */
  playing: "tune" | "silence" | null;
}

/** What an rtpengine is doing, as far as it has confirmed; null plays nothing. */
export type Done = { [Each in keyof DesiredState]: DesiredState[Each] | "unknown" };

const keys = ["blocksNear", "blocksFar", "silencesNear", "playing"] as const;
export const isDone = (done: Done, wanted: DesiredState): boolean => keys.every((each) => done[each] === wanted[each]);
export const unknownFor = (change: Partial<DesiredState>): Partial<Done> =>
  Object.fromEntries(Object.keys(change).map((each) => [each, "unknown"]));

/** With relay legs, the rtpengine only passes packets on. */
export const initialState: DesiredState = { blocksNear: false, blocksFar: false, silencesNear: false, playing: null };

/** Which of a session's two sides hears the other. */
export interface SessionRoom {
  nearHears: boolean;
  farHears: "near" | "music" | "nothing";
}
/** A far end that no room has been applied to yet. */
export const talking: SessionRoom = { nearHears: true, farHears: "near" };

export function desiredFor({ farDescription, farTakesSound, away }: SessionState, room: SessionRoom): DesiredState {
  const isThere = farDescription !== null;
  const held = room.farHears === "music";
  const ours = held ? "tune" : away ? "silence" : null;
  return {
    blocksNear: held || away || !farTakesSound,
    // The previous far end, and strangers, may still send.
    blocksFar: !room.nearHears || !isThere,
    silencesNear: room.farHears === "nothing",
    playing: isThere && farTakesSound ? ours : null,
  };
}

/** The state of an rtpengine that another process controlled; it plays nothing. */
export const unknownDone = ({ farIsThere }: { farIsThere: boolean }): Done => ({
  blocksNear: "unknown",
  blocksFar: farIsThere ? "unknown" : true,
  silencesNear: "unknown",
  playing: null,
});
