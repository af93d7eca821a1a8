import { createListeners } from "../../data/create-listeners.ts";

/** The note of the call that is shown, wherever it is: shortcuts and the call's end move the focus there. */
function createCallNote() {
  let field: HTMLElement | null = null;
  let wanted = false;
  const wanting = createListeners();

  /** Returns whether there is a note to focus. */
  function focus(): boolean {
    field?.focus();
    return field !== null;
  }

  return {
    focus,
    /** Registers the field. Returns a function that removes it. */
    isAt(element: HTMLElement): () => void {
      field = element;
      if (wanted) focus();
      wanted = false;
      return () => {
        if (field === element) field = null;
      };
    },
    /** Focuses the note, or has it opened. */
    want(): void {
      if (focus()) return;
      wanted = true;
      wanting.notify();
    },
    isWanted: (): boolean => wanted,
    /** Runs `listener` when the note is wanted and isn't on the page. */
    onWanted: wanting.subscribe,
  };
}

export const callNote = createCallNote();
