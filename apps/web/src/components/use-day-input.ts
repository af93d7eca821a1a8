import { firstGivenDay, isGivenDay, lastGivenDay, outOfOurTimes } from "@leadline/contract/identifiers";
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { takesEscape } from "../ui/leave-escape-to-field.ts";
import { useSaveLater } from "./use-save-later.ts";

export const halfADay = "Enter a full date, or clear the field.";

interface DayInputOptions {
  day: string | null;
  /** The first allowed day. */
  min?: string;
  /** A complete day, or null if it was cleared; not called for half-typed days or an unchanged one. */
  onDay: (day: string | null) => void;
  /** A day was chosen, or none is wanted. */
  onDone?: () => void;
}

/**
 * A date field that saves by itself. While a date is typed, the browser reports the years 2, 20 and 203, or nothing: a
 * typed day is saved on Enter, on blur, after a pause once it is complete, or on unmount; a picked one immediately.
 */
export function useDayInput({ day, min = firstGivenDay, onDay, onDone }: DayInputOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const typing = useRef(false);
  const dropUnsaved = useSaveLater({
    typed,
    saved: day ?? "",
    isWhole: typed !== null && isGivenDay(typed) && typed >= min,
    onSave: onDay,
  });

  function commit(input: HTMLInputElement): boolean {
    typing.current = false;
    const found = input.validity.badInput
      ? halfADay
      : input.value !== "" && !isGivenDay(input.value)
        ? outOfOurTimes
        : input.value !== "" && input.value < min && input.value !== day
          ? "Choose today or a later day."
          : null;
    setProblem(found);
    if (found) return false;
    setTyped(null);
    dropUnsaved();
    if (input.value !== (day ?? "")) onDay(input.value || null);
    return true;
  }

  return {
    problem,
    input: {
      type: "date",
      min,
      max: lastGivenDay,
      value: typed ?? day ?? "",
      [takesEscape]: onDone || typed !== null ? "" : undefined,
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        setTyped(target.value);
        if (!typing.current && commit(target)) onDone?.();
      },
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        if (event.key === "Enter") {
          event.preventDefault();
          if (commit(event.currentTarget)) onDone?.();
        } else if (event.key === "Escape" && (typing.current || typed !== null || onDone)) {
          event.stopPropagation();
          typing.current = false;
          // The browser reports nothing for a half-typed date, so React sees nothing to reset.
          event.currentTarget.value = day ?? "";
          setTyped(null);
          dropUnsaved();
          setProblem(null);
          onDone?.();
        } else if (event.key !== "Tab") typing.current = true;
      },
      onPointerDown: () => {
        typing.current = false;
      },
      onBlur({ currentTarget }: FocusEvent<HTMLInputElement>) {
        // The window lost the focus: the field is not left.
        if (document.activeElement === currentTarget) return;
        if (commit(currentTarget)) onDone?.();
      },
    } as const,
  };
}
