import { session } from "./session.ts";

/** Notes that the server has not yet taken, for the length of the tab: a reload in the middle of a word loses nothing. */
const prefix = "leadline.note-draft.";

/** Whoever's it is: logging out leaves drafts alone that could not be sent. */
export const isNoteDraft = (storageKey: string): boolean => storageKey.startsWith(prefix);

export interface NoteDrafts {
  read(callSid: string): string | null;
  keep(callSid: string, note: string): void;
  forget(callSid: string): void;
  /** The calls that have one. */
  all(): string[];
}

/** Each person sees their own alone, so that nobody sends what another wrote before them in this tab. */
export function createNoteDrafts(storage: Storage, userId: () => string | null): NoteDrafts {
  const own = (): string => `${prefix}${userId() ?? ""}.`;
  return {
    read: (callSid) => storage.getItem(own() + callSid),
    keep(callSid, note) {
      try {
        storage.setItem(own() + callSid, note);
      } catch {
        // Storage is full or refused: the note still goes to the server.
      }
    },
    forget: (callSid) => storage.removeItem(own() + callSid),
    all: () =>
      Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
        .filter((key) => key.startsWith(own()))
        .map((key) => key.slice(own().length)),
  };
}

export const noteDrafts = createNoteDrafts(globalThis.sessionStorage, session.userId);
