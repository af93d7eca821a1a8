import { useEffect, useRef } from "react";

interface PaletteKeys {
  togglePalette: () => void;
  showShortcuts: () => void;
}

const typesText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input, textarea, select, [contenteditable=true], [contenteditable=''], [role=dialog]") !== null;

/** Ctrl or Cmd and K anywhere; ? wherever it is not text. */
export function usePaletteKeys(keys: PaletteKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, isComposing } = event;
      if (isComposing) return;
      if (key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey) {
        event.preventDefault();
        latest.current.togglePalette();
      } else if (key === "?" && !ctrlKey && !metaKey && !altKey && !typesText(target)) {
        event.preventDefault();
        latest.current.showShortcuts();
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
