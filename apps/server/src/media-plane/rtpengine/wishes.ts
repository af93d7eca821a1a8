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

/** What stand-ins do is not the node's to do. */
export const noWishes: Wishes = { blocksNear: false, blocksFar: false, silencesNear: false, playing: null };

export function wishesOf({ farDescription, farTakesSound, held, muted, away }: SessionState): Wishes {
  const isThere = farDescription !== null;
  const ours = held ? "tune" : away ? "silence" : null;
  return {
    blocksNear: held || away || !farTakesSound,
    // Whoever was there before, and strangers, may still send.
    blocksFar: held || !isThere,
    silencesNear: muted,
    playing: isThere && farTakesSound ? ours : null,
  };
}

/** What is done of these, as far as is known of a node that others have told what to do; it plays nothing. */
export const undoneOf = (wishes: Wishes, { farIsThere }: { farIsThere: boolean }): Done => ({
  blocksNear: !wishes.blocksNear,
  blocksFar: farIsThere ? !wishes.blocksFar : wishes.blocksFar,
  silencesNear: !wishes.silencesNear,
  playing: null,
});
