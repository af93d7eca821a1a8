import { useEffect } from "react";
import { typesText } from "../../components/types-text.ts";
import { usePhone } from "../phone-provider.tsx";

/** T in a call, wherever it is not text. */
export function useTransferKey(): void {
  const { openTransfer } = usePhone();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, isComposing, target, defaultPrevented, repeat } = event;
      if (key.toLowerCase() !== "t" || ctrlKey || metaKey || altKey || isComposing || repeat || defaultPrevented)
        return;
      if (typesText(target)) return;
      // Else the letter would be the first in the field that opens.
      event.preventDefault();
      openTransfer();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [openTransfer]);
}
