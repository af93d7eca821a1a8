/** Notes that the server has not yet taken, for the length of the tab: a reload in the middle of a word loses nothing. */
const prefix = "leadline.note-draft.";

export interface NoteDrafts {
  read(callSid: string): string | null;
  keep(callSid: string, note: string): void;
  forget(callSid: string): void;
  /** The calls that have one. */
  all(): string[];
}

export function createNoteDrafts(storage: Storage): NoteDrafts {
  return {
    read: (callSid) => storage.getItem(prefix + callSid),
    keep(callSid, note) {
      try {
        storage.setItem(prefix + callSid, note);
      } catch {
        // Storage is full or refused: the note still goes to the server.
      }
    },
    forget: (callSid) => storage.removeItem(prefix + callSid),
    all: () =>
      Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
  };
}
