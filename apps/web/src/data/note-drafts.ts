import { session } from "./session.ts";

/** Notes that the server hasn't accepted yet, per tab: a reload in the middle of a word loses nothing. */
const prefix = "leadline.note-draft.";

/** Any user's: logging out keeps drafts that could not be sent. */
export const isNoteDraft = (storageKey: string): boolean => storageKey.startsWith(prefix);

export interface NoteDrafts {
  read(callSid: string): string | null;
  keep(callSid: string, note: string): void;
  forget(callSid: string): void;
  /** The calls that have one. */
  all(): string[];
}

/** Each user only sees their own, so that no one sends what another user wrote in this tab. */
export function createNoteDrafts(storage: Storage, userId: () => string | null): NoteDrafts {
  const own = (): string => `${prefix}${userId() ?? ""}.`;
  return {
    read: (callSid) => storage.getItem(own() + callSid),
    keep(callSid, note) {
      try {
        storage.setItem(own() + callSid, note);
      } catch {
        // Storage is full or blocked: the note is still sent to the server.
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
