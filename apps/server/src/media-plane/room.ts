/** Our own tune, in a loop. */
export const holdMusic = { play: "hold-music" } as const;

/** Raw µ-law audio at 8 kHz, heard once: a room that is applied again with the same name doesn't play it again. */
interface Announcement {
  play: string;
  audio: Uint8Array;
}

/** Another participant, by its leg, or what is played. */
export type Source = string | typeof holdMusic | Announcement;

export interface Participant {
  legId: string;
  /** Nothing is silence. What is played is heard alone. */
  hears: readonly Source[];
}

/** Two participants on one clock, by their legs, until the room leaves it out; null is silence. */
export interface Tap {
  id: string;
  left: string | null;
  right: string | null;
}

/** All who are in it, at most one of them a browser, and all that each of them hears. They hear and are heard by nobody else. */
export interface Room {
  participants: readonly Participant[];
  taps?: readonly Tap[];
  /** One that is lower than the last of a participant's comes too late, and is ignored. */
  revision?: number;
}

/** What both sides of a tap said: 16 bits at 8 kHz, of one length. */
export interface TappedAudio {
  tapId: string;
  left: Int16Array;
  right: Int16Array;
}

/** An announcement is over. */
export interface PromptEnd {
  legId: string;
  /** What was played. */
  prompt: string;
  /** False where it was cut short. */
  isWhole: boolean;
}

/** The same room, of legs by other names; those without one are left out. */
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
