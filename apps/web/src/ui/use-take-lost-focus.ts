import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./is-focus-lost.ts";

/** Where a dialog left the keyboard whose opener is gone: on the page as a whole. */
const isOnPage = (): boolean => document.activeElement?.id === "content";

/** A button that rests once it was pressed loses the keyboard in one of the next frames. */
const restsWithinMs = 100;

/** For what comes where something else went or rests: the keyboard goes on from here if nothing has it. */
export function useTakeLostFocus(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isFocusLost() || isOnPage()) place.current?.focus({ preventScroll: true });
    }, restsWithinMs);
    return () => clearTimeout(timer);
  }, []);
  return place;
}
