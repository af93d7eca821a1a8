import { useEffect } from "react";
import { isActive } from "../call/call-phase.ts";
import { callStageLabel, type PhoneState, audioLocation } from "../call/phone-state.ts";
import { useFormattedNumber } from "../numbers/use-formatted-number.ts";

/** While this page carries a call: asks before leaving it, and shows the call in the title. */
export function useCallGuards(state: PhoneState): void {
  const active = isActive(state.phase);
  const carries = active && audioLocation(state) === "here";
  const number = useFormattedNumber(state.dialled);
  const title = active ? ["☎", callStageLabel(state), number].filter(Boolean).join(" ") : null;

  useEffect(() => {
    if (!carries) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [carries]);

  useEffect(() => (title === null ? undefined : holdTitle(title)), [title]);
}

/**
 * Keeps a title whatever page is opened, and restores the page's own one afterwards. Returns a function that releases
 * it.
 */
export function holdTitle(title: string): () => void {
  let pagesOwn = document.title;
  document.title = title;
  // Trimmed, with single spaces between words (HTML, document.title).
  const held = document.title;
  const observer = new MutationObserver(() => {
    if (document.title === held) return;
    pagesOwn = document.title;
    document.title = held;
  });
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    document.title = pagesOwn;
  };
}
