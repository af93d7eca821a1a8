import { clsx } from "clsx";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { leaveEscapeToField } from "./leave-escape-to-field.ts";
import { useFocusReturn } from "./use-focus-return.ts";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out; the sheet's content shows its own heading. */
  title: string;
  side?: "left" | "bottom";
  className?: string;
  children: ReactNode;
}

const sides = {
  left: "inset-y-0 left-0 w-[min(280px,calc(100vw-56px))] animate-slide-in border-r",
  bottom: "inset-x-0 bottom-0 max-h-[88dvh] animate-slide-up rounded-t-md border-t",
};

export function Sheet({ open, onOpenChange, title, side = "left", className, children }: SheetProps) {
  const focusReturn = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={leaveEscapeToField}
          {...focusReturn}
          className={clsx(
            "fixed z-50 flex flex-col overflow-y-auto border-line bg-panel shadow-lift outline-none",
            sides[side],
            className,
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
