import { useLayoutEffect, useRef } from "react";
import { isFocusLost } from "./is-focus-lost.ts";

let menuButton: HTMLElement | null = null;

/** Told by a menu as it opens: its items are gone by the time that what one of them opened closes. */
export const menuOpensFrom = (button: HTMLElement | null): void => void (menuButton = button);

/** What had the focus, or the button of the menu that had it. A menu's deed may take a while, and its button rests then. */
function openerNow(): Element | null {
  const active = document.activeElement;
  return isFocusLost() || active?.closest("[role=menu]") ? menuButton : active;
}

/** Where the keyboard goes on when what it came from is gone. */
export function focusNext(): void {
  const next = document.querySelector("[data-next-focus]") ?? document.getElementById("content");
  if (next instanceof HTMLElement) next.focus();
}

/** For what covers the page while it is open: the keyboard goes back to where it came from. */
export function useFocusReturn(open: boolean) {
  const opener = useRef<Element | null>(null);
  // Before the menu that it was chosen from is gone.
  useLayoutEffect(() => {
    if (open) opener.current = openerNow();
  }, [open]);
  return {
    onCloseAutoFocus(event: Event): void {
      // Radix gives the keyboard back to its own trigger only, and ours are opened by anything: a field, a link, a menu.
      event.preventDefault();
      if (!isFocusLost()) return;
      const back = opener.current;
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else focusNext();
    },
  };
}
