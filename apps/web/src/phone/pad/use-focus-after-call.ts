import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "../../ui/is-focus-lost.ts";
import { callNote } from "../in-call/call-note.ts";
import type { CallPhase } from "../call/call-phase.ts";

/** After a navigation, the focus is on `<main>`. */
const hasNobody = (): boolean => isFocusLost() || document.activeElement?.matches("main") === true;

/**
 * The focused control disappears with the call: focuses the note, and once that is dismissed the next number. A rep who
 * is typing elsewhere isn't interrupted, and no on-screen keyboard opens by itself.
 */
export function useFocusAfterCall(field: RefObject<HTMLInputElement | null>, phase: CallPhase): void {
  const before = useRef(phase);
  useEffect(() => {
    const isOver = phase === "ended" || (phase === "idle" && before.current !== "idle");
    before.current = phase;
    if (!isOver || !hasNobody() || matchMedia("(pointer: coarse)").matches) return;
    if (phase === "idle" || !callNote.focus()) field.current?.focus();
  }, [field, phase]);
}
