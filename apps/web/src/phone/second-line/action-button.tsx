import { useEffect, useRef, useState } from "react";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { isFocusLost } from "../../ui/is-focus-lost.ts";

/** Busy until the server has responded; then the focus, which a disabled button loses, is restored. */
export function ActionButton({
  action,
  ...rest
}: Omit<ButtonProps, "onClick" | "busy"> & { action: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!busy && hadFocus.current && isFocusLost()) button.current?.focus();
    if (!busy) hadFocus.current = false;
  }, [busy]);
  async function act(): Promise<void> {
    hadFocus.current = document.activeElement === button.current;
    setBusy(true);
    await action();
    setBusy(false);
  }
  return <Button {...rest} ref={button} busy={busy} onClick={() => void act()} />;
}
