import { type RefObject, useEffect, useRef } from "react";

/** Longer than anyone takes between two digits. */
const pauseMs = 1_500;

interface SaveLater {
  /** Null if nothing was typed since the last save. */
  typed: string | null;
  saved: string;
  /** Whether `typed` may be saved: no half-typed value. */
  isWhole: boolean;
  onSave: (typed: string) => void;
}

/**
 * Saves what was typed after a pause, even if the field keeps the focus, and at the latest when the page is left or the
 * field removed. Returns a function that drops it, for what was saved or discarded by other means.
 */
export function useSaveLater({ typed, saved, isWhole, onSave }: SaveLater): () => void {
  const save = useRef<(() => void) | null>(null);
  useEffect(() => {
    const pending = typed !== null && typed !== saved && isWhole;
    save.current = pending ? () => onSave(typed) : null;
    if (!pending) return;
    const timer = setTimeout(() => saveOnce(save), pauseMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- onSave is another function at each drawing
  }, [typed, saved, isWhole]);
  useEffect(() => {
    const flush = () => saveOnce(save);
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, []);
  return () => {
    save.current = null;
  };
}

function saveOnce(save: RefObject<(() => void) | null>): void {
  const run = save.current;
  save.current = null;
  run?.();
}
