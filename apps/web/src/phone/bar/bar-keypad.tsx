import { clsx } from "clsx";
import { Grid3x3 } from "lucide-react";
import { Popover } from "radix-ui";
import { type KeyboardEvent, useRef } from "react";
import { useWide } from "../../components/use-wide.ts";
import { Button } from "../../ui/button.tsx";
import { Keypad } from "../pad/keypad.tsx";
import { SentKeysField } from "../pad/sent-keys-field.tsx";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { barButtonLook } from "./bar-button-look.ts";

/** The keypad above the bar, to answer a menu without leaving the page. */
export function BarKeypad() {
  const phone = usePhone();
  const { keysSent } = usePhoneState();
  // Above the name and timer, which have their own row on a small screen.
  const wide = useWide();
  const field = useRef<HTMLInputElement>(null);
  const press = (key: string): void => {
    phone.sounds.key();
    phone.pressKey(key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-9*#]$/.test(event.key)) return;
    event.preventDefault();
    press(event.key);
  };
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button
          tone="plain"
          className={clsx(barButtonLook, "data-[state=open]:border-brass data-[state=open]:bg-brass-wash")}
        >
          <Grid3x3 aria-hidden="true" />
          Keypad
        </Button>
      </Popover.Trigger>
      <Popover.Content
        side="top"
        align="end"
        sideOffset={wide ? 14 : 64}
        collisionPadding={12}
        aria-label="Keypad of the call"
        onKeyDown={onKeyDown}
        className="z-50 flex w-72 max-w-[calc(100vw-24px)] animate-rise flex-col gap-3 rounded-md border border-line bg-panel p-3 shadow-lift outline-none"
      >
        <SentKeysField keys={keysSent} field={field} />
        <Keypad onKey={press} plusOnZero={false} />
      </Popover.Content>
    </Popover.Root>
  );
}
