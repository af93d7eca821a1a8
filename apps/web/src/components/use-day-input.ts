import { firstGivenDay, isGivenDay, lastGivenDay, outOfOurTimes } from "@leadline/contract/identifiers";
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import { takesEscape } from "../ui/leave-escape-to-field.ts";

export const halfADay = "Give the whole day, or clear it.";

interface DayInputOptions {
  day: string | null;
  /** The first day that may be given. */
  min?: string;
  /** A whole day, or null where it was cleared; not told of days typed half, nor of the day it has. */
  onDay: (day: string | null) => void;
  /** A day was given, or none is wanted. */
  onDone?: () => void;
}

/**
 * A date field that is saved where it stands. While a date is typed the browser reports the years 2, 20 and 203, or
 * nothing: typed days count once the field is left or with Enter, days picked from the calendar at once.
 */
export function useDayInput({ day, min = firstGivenDay, onDay, onDone }: DayInputOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const typing = useRef(false);

  function settle(input: HTMLInputElement): boolean {
    typing.current = false;
    const found = input.validity.badInput
      ? halfADay
      : input.value !== "" && !isGivenDay(input.value)
        ? outOfOurTimes
        : input.value !== "" && input.value < min
          ? "Give a day from today on."
          : null;
    setProblem(found);
    if (found) return false;
    setTyped(null);
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
        if (!typing.current && settle(target)) onDone?.();
      },
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        if (event.key === "Enter") {
          event.preventDefault();
          if (settle(event.currentTarget)) onDone?.();
        } else if (event.key === "Escape" && (typing.current || typed !== null || onDone)) {
          event.stopPropagation();
          typing.current = false;
          // Of a date typed half the browser tells nothing, so that React sees nothing to take back.
          event.currentTarget.value = day ?? "";
          setTyped(null);
          setProblem(null);
          onDone?.();
        } else if (event.key !== "Tab") typing.current = true;
      },
      onPointerDown: () => {
        typing.current = false;
      },
      onBlur({ currentTarget }: FocusEvent<HTMLInputElement>) {
        // Another window was gone to: the field is not left.
        if (document.activeElement === currentTarget) return;
        if (settle(currentTarget)) onDone?.();
      },
    } as const,
  };
}
