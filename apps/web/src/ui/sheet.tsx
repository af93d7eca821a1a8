import { clsx } from "clsx";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "./icon-button.tsx";
import { leaveEscapeToField } from "./leave-escape-to-field.ts";
import { useFocusReturn } from "./use-focus-return.ts";
import { usePullDown } from "./use-pull-down.ts";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out; the sheet's content shows its own heading. */
  title: string;
  side?: "left" | "bottom";
  className?: string;
  /** Stays at the sheet's foot, whatever of its content is scrolled to. */
  footer?: ReactNode;
  children: ReactNode;
}

const sides = {
  left: "inset-y-0 left-0 w-[min(280px,calc(100vw-56px))] animate-slide-in border-r",
  bottom: "inset-x-0 bottom-0 max-h-[88dvh] animate-slide-up rounded-t-md border-t",
};

export function Sheet({ open, onOpenChange, title, side = "left", className, footer, children }: SheetProps) {
  const focusReturn = useFocusReturn(open);
  const { sheet, handle } = usePullDown(() => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          ref={sheet}
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
          {side === "bottom" ? (
            <div className="sticky top-0 z-10 -mx-4 -mt-4 mb-5 h-11 shrink-0 bg-panel">
              <div
                aria-hidden="true"
                data-testid="sheet-handle"
                className="flex h-full touch-none items-center justify-center"
                {...handle}
              >
                <span className="h-1 w-10 rounded-full bg-ink/25" />
              </div>
              <Close className="absolute top-0 right-2" />
            </div>
          ) : (
            <Close className="absolute top-1.5 right-2 z-10" />
          )}
          {children}
          {footer ? (
            <div
              className={clsx(
                "sticky bottom-0 z-10 border-t border-line bg-panel px-4 py-3 empty:hidden",
                side === "bottom" && "-mx-4 mt-4 -mb-4",
              )}
            >
              {footer}
            </div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Close({ className }: { className: string }) {
  return (
    <Radix.Close asChild>
      <IconButton label="Close" size="medium" className={className}>
        <X />
      </IconButton>
    </Radix.Close>
  );
}
