import { createListeners } from "../../data/create-listeners.ts";

/** The note of the call that is shown, wherever it stands: shortcuts and the call's end lead the keyboard there. */
function createCallNote() {
  let field: HTMLElement | null = null;
  let wanted = false;
  const wanting = createListeners();

  /** Answers whether there is a note to write in. */
  function focus(): boolean {
    field?.focus();
    return field !== null;
  }

  return {
    focus,
    /** The field is here now. Returns what takes it away. */
    isAt(element: HTMLElement): () => void {
      field = element;
      if (wanted) focus();
      wanted = false;
      return () => {
        if (field === element) field = null;
      };
    },
    /** Goes there, or has it opened. */
    want(): void {
      if (focus()) return;
      wanted = true;
      wanting.tell();
    },
    isWanted: (): boolean => wanted,
    /** Runs `listener` when the note is wanted and is not on the page. */
    onWanted: wanting.subscribe,
  };
}

export const callNote = createCallNote();
