/** Our built-in music, in a loop. */
export const holdMusic = { play: "hold-music" } as const;

/** Raw µ-law audio at 8 kHz, played once: applying a room again with the same name doesn't replay it. */
interface Announcement {
  play: string;
  audio: Uint8Array;
}

/** Another participant, by its leg, or something to play. */
export type Source = string | typeof holdMusic | Announcement;

export interface Participant {
  legId: string;
  /** Empty means silence. Music or an announcement is heard alone. */
  hears: readonly Source[];
}

/** Records two participants on one clock, by their legs, until a room leaves it out; null is silence. */
export interface Tap {
  id: string;
  left: string | null;
  right: string | null;
}

/**
 * All participants, at most one of them a browser, and everything that each of them hears. They hear no one else, and
 * no one else hears them.
 */
export interface Room {
  participants: readonly Participant[];
  taps?: readonly Tap[];
  /** A room with a lower revision than the last one of any participant is stale and ignored. */
  revision?: number;
}

/** Both sides of a tap: 16-bit samples at 8 kHz, of equal length. */
export interface TappedAudio {
  tapId: string;
  left: Int16Array;
  right: Int16Array;
}

/** An announcement has ended. */
export interface PromptEnd {
  legId: string;
  /** The name of the announcement. */
  prompt: string;
  /** False if it was cut short. */
  isWhole: boolean;
}

/** The same room with its legs renamed; legs without a new name are left out. */
export function renameLegs({ participants, taps = [], ...room }: Room, nameOf: (legId: string) => string | null): Room {
  const named = (legId: string | null): string | null => legId && nameOf(legId);
  return {
    ...room,
    participants: participants.flatMap(({ legId, hears }) => {
      const name = nameOf(legId);
      const sources = hears.map((source) => (typeof source === "string" ? nameOf(source) : source));
      return name === null ? [] : { legId: name, hears: sources.filter((source) => source !== null) };
    }),
    taps: taps.map(({ id, left, right }) => ({ id, left: named(left), right: named(right) })),
  };
}
