import { clsx } from "clsx";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { X } from "lucide-react";
import { IconButton } from "./icon-button.tsx";
import { leaveEscapeToField } from "./leave-escape-to-field.ts";
import { useFocusReturn } from "./use-focus-return.ts";
import { usePullDown } from "./use-pull-down.ts";

interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out, and shown where there is a description; otherwise the content shows its own heading. */
  title: string;
  description?: ReactNode;
  side?: "left" | "bottom";
  className?: string;
  /** Has the keyboard when the sheet opens, instead of Close. */
  firstField?: RefObject<HTMLElement | null>;
  /** Stays at the sheet's foot, wherever its content is scrolled to. */
  footer?: ReactNode;
  children: ReactNode;
}

const sides = {
  left: "inset-y-0 left-0 w-[min(280px,calc(100vw-56px))] animate-slide-in border-r",
  bottom: "inset-x-0 bottom-0 max-h-[88dvh] animate-slide-up rounded-t-md border-t",
};

export function Sheet({
  open,
  onOpenChange,
  title,
  description,
  side = "left",
  className,
  firstField,
  footer,
  children,
}: SheetProps) {
  const focusReturn = useFocusReturn(open);
  const { sheet, handle } = usePullDown(() => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          ref={sheet}
          {...(description ? {} : { "aria-describedby": undefined })}
          onEscapeKeyDown={leaveEscapeToField}
          onOpenAutoFocus={(event) => {
            if (!firstField?.current) return;
            event.preventDefault();
            firstField.current.focus();
          }}
          {...focusReturn}
          className={clsx("fixed z-50 flex flex-col border-line bg-panel shadow-lift outline-none", sides[side])}
        >
          {side === "bottom" ? (
            <div className="relative h-11 shrink-0">
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
          {/* Only this part scrolls, so that nothing shows through around the footer. */}
          <div className={clsx("flex min-h-0 flex-1 flex-col overflow-y-auto", className)}>
            {description ? (
              <header className="mb-3 flex flex-col gap-1">
                <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
                <Radix.Description className="text-sm text-ink-soft">{description}</Radix.Description>
              </header>
            ) : (
              <Radix.Title className="sr-only">{title}</Radix.Title>
            )}
            {children}
          </div>
          {footer ? (
            <div className="shrink-0 border-t border-line px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] empty:hidden">
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
