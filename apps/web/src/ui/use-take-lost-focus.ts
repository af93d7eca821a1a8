import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./is-focus-lost.ts";

/** Where a dialog returns the focus if its opener no longer exists: to the page's main element. */
const isOnPage = (): boolean => document.activeElement?.id === "content";

/** A button that is disabled after a click loses the focus within the next frames. */
const restsWithinMs = 100;

/** For content that replaces something: takes the focus if nothing has it. `when`: what it replaces is gone. */
export function useTakeLostFocus({ when = true } = {}): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!when) return;
    const timer = setTimeout(() => {
      if (isFocusLost() || isOnPage()) place.current?.focus({ preventScroll: true });
    }, restsWithinMs);
    return () => clearTimeout(timer);
  }, [when]);
  return place;
}
