import { useLayoutEffect, useRef } from "react";
import { isFocusLost } from "./is-focus-lost.ts";

let menuButton: HTMLElement | null = null;

/** Called by a menu when it opens: its items are gone by the time that what one of them opened closes. */
export const menuOpensFrom = (button: HTMLElement | null): void => void (menuButton = button);

/**
 * The focused element, or the button of the menu that had the focus. A menu's action may take a while, during which its
 * button is disabled.
 */
function openerNow(): Element | null {
  const active = document.activeElement;
  return isFocusLost() || active?.closest("[role=menu]") ? menuButton : active;
}

/** Where the focus moves if the element it came from no longer exists. */
export function focusNext(): void {
  const next = document.querySelector("[data-next-focus]") ?? document.getElementById("content");
  if (next instanceof HTMLElement) next.focus();
}

/** For anything that covers the page while open: returns the focus to where it was. */
export function useFocusReturn(open: boolean) {
  const opener = useRef<Element | null>(null);
  // Before the menu that it was chosen from is unmounted.
  useLayoutEffect(() => {
    if (open) opener.current = openerNow();
  }, [open]);
  return {
    onCloseAutoFocus(event: Event): void {
      // Radix only returns the focus to its own trigger, and ours are opened from anywhere: a field, a link, a menu.
      event.preventDefault();
      if (!isFocusLost()) return;
      const back = opener.current;
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else focusNext();
    },
  };
}
