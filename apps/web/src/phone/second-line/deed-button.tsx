import { useState } from "react";
import { Button, type ButtonProps } from "../../ui/button.tsx";

/** Busy for as long as the server takes to do it. */
export function DeedButton({ deed, ...rest }: Omit<ButtonProps, "onClick" | "busy"> & { deed: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  async function act(): Promise<void> {
    setBusy(true);
    await deed();
    setBusy(false);
  }
  return <Button {...rest} busy={busy} onClick={() => void act()} />;
}
