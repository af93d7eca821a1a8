import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useState } from "react";
import { useSaveLater } from "./use-save-later.ts";

interface TimeInputOptions {
  /** HH:MM. */
  time: string | null;
  /** Null if it was cleared; not called for half-typed times or an unchanged one. */
  onTime: (time: string | null) => void;
}

/**
 * A time field that saves by itself. While a time is typed, the browser reports none or a wrong one, so it is saved on
 * Enter, on blur, after a pause once it is complete, or on unmount.
 */
export function useTimeInput({ time, onTime }: TimeInputOptions) {
  const [typed, setTyped] = useState<{ text: string; isHalf: boolean } | null>(null);
  const [problem, setProblem] = useState<string>();
  const dropUnsaved = useSaveLater({
    typed: typed?.text ?? null,
    saved: time ?? "",
    isWhole: typed?.isHalf === false,
    onSave: (text) => onTime(text || null),
  });

  function commit(input: HTMLInputElement): void {
    const isHalf = input.validity.badInput;
    setProblem(isHalf ? "Enter a full time, or clear the field." : undefined);
    if (isHalf) return;
    dropUnsaved();
    if (typed !== null && input.value !== (time ?? "")) onTime(input.value || null);
    setTyped(null);
  }

  return {
    problem,
    input: {
      type: "time",
      value: typed?.text ?? time ?? "",
      onChange({ target }: ChangeEvent<HTMLInputElement>) {
        setTyped({ text: target.value, isHalf: target.validity.badInput });
      },
      onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => commit(currentTarget),
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        if (event.key === "Enter") commit(event.currentTarget);
      },
    } as const,
  };
}
