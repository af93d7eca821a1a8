import { createListeners } from "../../data/create-listeners.ts";
import type { NoteDrafts } from "../../data/note-drafts.ts";
import { problemDetail } from "../../data/problem-error.ts";

export type NoteState =
  | { status: "saved" | "unsaved" | "saving"; text: string; problem: null }
  | { status: "failed"; text: string; problem: string };

interface NoteSaverOptions {
  callSid: string;
  /** As the server has it. */
  note: string;
  save: (note: string) => Promise<unknown>;
  drafts: NoteDrafts;
  /** How long after the last key press the note is sent. */
  pauseMs?: number;
  /** How long after a failure the note is sent again. */
  retryMs?: number;
}

/**
 * Saves one call's note while it is typed: whenever typing pauses, one request at a time. Unsaved text is kept in the
 * tab.
 */
export function createNoteSaver({ callSid, note, save, drafts, pauseMs = 800, retryMs = 5_000 }: NoteSaverOptions) {
  let known = note;
  const draft = drafts.read(callSid);
  let state: NoteState = { status: "saved", text: note, problem: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending = false;
  const listeners = createListeners();

  function set(next: NoteState): void {
    state = next;
    listeners.notify();
  }
  function sendIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void send(), ms);
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    if (sending || state.text === known) return;
    const { text } = state;
    sending = true;
    set({ status: "saving", text, problem: null });
    try {
      await save(text);
      known = text;
      sending = false;
      if (state.text !== text) return await send();
      drafts.forget(callSid);
      set({ status: "saved", text, problem: null });
    } catch (error) {
      sending = false;
      set({ status: "failed", text: state.text, problem: problemDetail(error) });
      sendIn(retryMs);
    }
  }

  function type(text: string): void {
    drafts.keep(callSid, text);
    set({ status: sending ? "saving" : "unsaved", text, problem: null });
    sendIn(pauseMs);
  }

  if (draft !== null && draft !== note) type(draft);
  else if (draft !== null) drafts.forget(callSid);

  return {
    getState: (): NoteState => state,
    subscribe: listeners.subscribe,
    type,
    /** Sends now: the field has lost the focus, the page is hidden, or the person retries. */
    flush: (): void => void send(),
    /** The note was changed elsewhere. Unsaved text in this tab stays and wins. */
    adopt(elsewhere: string): void {
      if (sending || state.text !== known) return;
      known = elsewhere;
      if (elsewhere !== state.text) set({ status: "saved", text: elsewhere, problem: null });
    },
    /** Stops retrying. The draft stays for the next time. */
    stop: (): void => clearTimeout(timer),
  };
}
export type NoteSaver = ReturnType<typeof createNoteSaver>;
