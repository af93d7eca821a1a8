import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** False shows none, without remounting the child. */
  enabled?: boolean;
  children: ReactNode;
}

export function Tooltip({ text, shortcut, side = "bottom", enabled = true, children }: TooltipProps) {
  return (
    <Radix.Root {...(enabled ? {} : { open: false })}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex animate-fade items-center gap-2 rounded-[6px] bg-ink px-2 py-1 text-xs text-paper"
        >
          {text}
          {shortcut ? <kbd className="font-sans opacity-70">{shortcut}</kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={150}>
      {children}
    </Radix.Provider>
  );
}
