import { useEffect, useRef } from "react";
import { typesText } from "../types-text.ts";

interface PaletteKeys {
  togglePalette: () => void;
  showShortcuts: () => void;
}

/** Ctrl+K or Cmd+K anywhere; ? outside text fields. */
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
