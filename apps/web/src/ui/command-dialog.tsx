import { clsx } from "clsx";
import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { useFocusReturn } from "./use-focus-return.ts";

interface CommandDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The accessible name of the dialog, its field and its list. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  /** Shown if nothing matches the text. */
  empty: ReactNode;
  children: ReactNode;
}

/** A field above a list that it filters; the arrow keys choose, Enter runs. */
export function CommandDialog(props: CommandDialogProps) {
  const { open, onOpenChange, label, placeholder, text, onText, empty, children } = props;
  const focusReturn = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...focusReturn}
          className="fixed top-[12dvh] left-1/2 z-50 w-[min(560px,calc(100vw-32px))] -translate-x-1/2 animate-fade overflow-hidden rounded-md border border-line bg-panel shadow-lift"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Command label={label} loop>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
              <Command.Input
                value={text}
                onValueChange={onText}
                placeholder={placeholder}
                className="h-12 w-full bg-transparent text-[15px] outline-none placeholder:text-ink-soft max-md:text-base"
              />
            </div>
            <Command.List label={label} className="max-h-[min(400px,60dvh)] scroll-py-1 overflow-y-auto p-1.5">
              <Command.Empty className="px-2.5 py-6 text-center text-sm text-ink-soft">{empty}</Command.Empty>
              {children}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function CommandGroup({ className, ...rest }: ComponentProps<typeof Command.Group>) {
  return (
    <Command.Group
      className={clsx(
        "[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-soft",
        className,
      )}
      {...rest}
    />
  );
}

export function CommandItem({ className, ...rest }: ComponentProps<typeof Command.Item>) {
  return (
    <Command.Item
      className={clsx(
        "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-[6px] px-2.5 py-1.5 text-sm select-none off:cursor-default off:opacity-50 data-[selected=true]:bg-ink/6 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft",
        className,
      )}
      {...rest}
    />
  );
}
