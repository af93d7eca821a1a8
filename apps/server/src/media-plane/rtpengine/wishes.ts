import type { SessionState } from "./session-state.ts";

/** What a node is to do beyond passing on. */
export interface Wishes {
  blocksNear: boolean;
  blocksFar: boolean;
  silencesNear: boolean;
  /** To the far end. */
  playing: "tune" | "silence" | null;
}

/** What a node does, as far as it has answered; null plays nothing. */
export type Done = { [Each in keyof Wishes]: Wishes[Each] | "unknown" };

const keys = ["blocksNear", "blocksFar", "silencesNear", "playing"] as const;
export const isDone = (done: Done, wishes: Wishes): boolean => keys.every((each) => done[each] === wishes[each]);
export const unknownOf = (deed: Partial<Wishes>): Partial<Done> =>
  Object.fromEntries(Object.keys(deed).map((each) => [each, "unknown"]));

/** What relay legs do is not the node's to do. */
export const noWishes: Wishes = { blocksNear: false, blocksFar: false, silencesNear: false, playing: null };

/** Who hears whom of a session's two sides. */
export interface SessionRoom {
  nearHears: boolean;
  farHears: "near" | "music" | "nothing";
}
/** Of a far end that no room has been applied to yet. */
export const talking: SessionRoom = { nearHears: true, farHears: "near" };

export function wishesOf({ farDescription, farTakesSound, away }: SessionState, room: SessionRoom): Wishes {
  const isThere = farDescription !== null;
  const held = room.farHears === "music";
  const ours = held ? "tune" : away ? "silence" : null;
  return {
    blocksNear: held || away || !farTakesSound,
    // Whoever was there before, and strangers, may still send.
    blocksFar: !room.nearHears || !isThere,
    silencesNear: room.farHears === "nothing",
    playing: isThere && farTakesSound ? ours : null,
  };
}

/** What is done by a node that another process told what to do; it plays nothing. */
export const unknownDone = ({ farIsThere }: { farIsThere: boolean }): Done => ({
  blocksNear: "unknown",
  blocksFar: farIsThere ? "unknown" : true,
  silencesNear: "unknown",
  playing: null,
});
