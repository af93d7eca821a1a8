import { clsx } from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import { leaveEscapeToField } from "./leave-escape-to-field.ts";
import { useFocusReturn } from "./use-focus-return.ts";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The buttons at the bottom; the primary one last. */
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, footer, className, children }: DialogProps) {
  const focusReturn = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-fade bg-scrim" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onEscapeKeyDown={leaveEscapeToField}
          {...focusReturn}
          className={clsx(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] base:w-[min(440px,calc(100vw-32px))] -translate-1/2 animate-fade flex-col rounded-md border border-line bg-panel shadow-lift",
            className,
          )}
        >
          <header className="flex flex-col gap-1 pt-5 pr-14 pb-3 pl-6">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            {description ? (
              <Radix.Description className="text-sm text-ink-soft">{description}</Radix.Description>
            ) : null}
          </header>
          {children ? <div className="min-h-0 overflow-y-auto px-6 pb-6">{children}</div> : null}
          {footer ? (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-3 *:max-w-full">
              {footer}
            </footer>
          ) : null}
          {/* Last, so that the dialog's own first control has the initial focus. */}
          <Radix.Close asChild>
            <IconButton label="Close" size="small" className="absolute top-4 right-4">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
