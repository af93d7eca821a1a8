import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "../../ui/is-focus-lost.ts";
import { callNote } from "../in-call/call-note.ts";
import type { CallPhase } from "../call/call-phase.ts";

/** A new page lends it to its `<main>`. */
const hasNobody = (): boolean => isFocusLost() || document.activeElement?.matches("main") === true;

/**
 * What had the focus goes with the call: the rep writes the note, and once that is put away the next number. Who is writing
 * elsewhere goes on writing, and no keyboard of a touch screen opens by itself.
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
