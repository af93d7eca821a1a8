import { clsx } from "clsx";
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { menuOpensFrom } from "./use-focus-return.ts";

export const popoverLook =
  "z-50 base:min-w-48 animate-rise base:overflow-y-auto rounded-md border border-line bg-panel base:p-1 text-sm text-ink shadow-lift outline-none";
export const popoverItemLook =
  "flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-[6px] px-2 py-1.5 text-left outline-none select-none off:cursor-default off:opacity-50 data-[highlighted]:bg-ink/6 [&_svg]:size-4 [&_svg]:shrink-0";

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  /** It was opened before its code had loaded. */
  startsOpen?: boolean;
  className?: string;
  children: ReactNode;
}

export function Menu({ trigger, align = "end", side = "bottom", startsOpen = false, className, children }: MenuProps) {
  // Chosen on opening and kept: an open menu that moves in the DOM loses its focus and closes.
  const [landmark, setLandmark] = useState<HTMLElement | null>(() =>
    startsOpen ? document.getElementById("content") : null,
  );
  const button = useRef<HTMLButtonElement>(null);
  const prepare = () => {
    menuOpensFrom(button.current);
    // A dialog or sheet hides the page behind it from screen readers, with everything inside its landmarks.
    const covered = button.current?.closest("[role=dialog]");
    setLandmark(covered ? null : document.getElementById("content"));
  };
  return (
    <Radix.Root modal={false} defaultOpen={startsOpen} onOpenChange={(open) => open && prepare()}>
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      {/* Inside the page's landmark, if there is one, so that the landmarks contain the menu too. */}
      <Radix.Portal container={landmark}>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className={clsx(popoverLook, "max-h-(--radix-dropdown-menu-content-available-height)", className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={clsx(popoverItemLook, className)} {...rest} />;
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={clsx("px-2 pt-1.5 pb-1 text-xs text-ink-soft", className)} {...rest} />;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

interface MenuChoicesProps {
  value: string;
  onValueChange: (value: string) => void;
  children: ReactNode;
}

/** Exactly one of its items is chosen. */
export function MenuChoices({ value, onValueChange, children }: MenuChoicesProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onValueChange}>
      {children}
    </Radix.RadioGroup>
  );
}

export function MenuChoice({ className, children, ...rest }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={clsx(popoverItemLook, className)} {...rest}>
      {children}
      <Radix.ItemIndicator className="ml-auto pl-2">
        <Check className="text-brass" aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

/** An on/off item; the menu stays open. */
export function MenuCheck({ className, children, ...rest }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem
      className={clsx(popoverItemLook, className)}
      onSelect={(event) => event.preventDefault()}
      {...rest}
    >
      {children}
      <Radix.ItemIndicator className="ml-auto pl-2">
        <Check className="text-brass" aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}
