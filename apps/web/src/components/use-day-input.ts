import { firstGivenDay, isGivenDay, lastGivenDay, outOfOurTimes } from "@leadline/contract/identifiers";
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { takesEscape } from "../ui/leave-escape-to-field.ts";

export const halfADay = "Enter a full date, or clear the field.";

/** Longer than anybody takes between two digits of a year. */
const pauseMs = 1_500;

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
 * A date field that saves by itself. While a date is typed the browser reports the years 2, 20 and 203, or nothing: a typed
 * day counts with Enter, once the field is left, after a pause once it's whole, or when the page goes; a picked one at once.
 */
export function useDayInput({ day, min = firstGivenDay, onDay, onDone }: DayInputOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const typing = useRef(false);
  const save = useRef<(() => void) | null>(null);

  /** A whole day that was typed is saved though the field keeps the focus, and at the latest as the page goes. */
  useEffect(() => {
    const pending = typed !== null && typed !== (day ?? "") && isGivenDay(typed) && typed >= min;
    save.current = pending ? () => onDay(typed) : null;
    if (!pending) return;
    const timer = setTimeout(() => save.current?.(), pauseMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- onDay is another function at each drawing
  }, [typed, day, min]);
  useEffect(() => {
    const flush = () => save.current?.();
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, []);

  function settle(input: HTMLInputElement): boolean {
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
    save.current = null;
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
          save.current = null;
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
