import { clsx } from "clsx";
import { Command } from "cmdk";
import { Check, ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { inputLook } from "./input.tsx";
import { popoverItemLook, popoverLook } from "./menu.tsx";

export interface ComboboxOption {
  value: string;
  label: string;
  /** Additional search terms. */
  keywords?: readonly string[];
}

interface ComboboxProps {
  options: readonly ComboboxOption[];
  value: string;
  onValueChange: (value: string) => void;
  /** The accessible name of the search box: 'Search time zones'. */
  searchLabel: string;
  /** Shown for a value that isn't an option. */
  placeholder?: string;
  disabled?: boolean;
  className?: string;
  id?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

/** A searchable choice among hundreds of options. */
export function Combobox(props: ComboboxProps) {
  const {
    options,
    value,
    onValueChange,
    searchLabel,
    placeholder = "",
    disabled = false,
    className,
    ...control
  } = props;
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        disabled={disabled}
        className={clsx(inputLook, "flex base:h-9 items-center justify-between gap-2 text-left max-md:h-11", className)}
        {...control}
      >
        <span className={clsx("truncate", !chosen && "text-ink-soft")}>{chosen?.label ?? placeholder}</span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal container={document.getElementById("content")}>
        <Popover.Content
          aria-label={searchLabel}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={clsx(popoverLook, "w-(--radix-popover-trigger-width) overflow-hidden")}
        >
          <Command label={searchLabel} loop>
            <Command.Input
              placeholder={searchLabel}
              className="mb-1 h-9 w-full rounded-[6px] bg-sunk px-2.5 text-sm outline-none placeholder:text-ink-soft max-md:h-11 max-md:text-base"
            />
            <Command.List className="max-h-64 overflow-y-auto">
              <Command.Empty className="px-2 py-3 text-center text-table text-ink-soft">No results.</Command.Empty>
              {options.map((option) => (
                <Command.Item
                  key={option.value}
                  value={option.value}
                  keywords={[option.label, ...(option.keywords ?? [])]}
                  onSelect={() => {
                    onValueChange(option.value);
                    setOpen(false);
                  }}
                  className={clsx(popoverItemLook, "data-[selected=true]:bg-ink/6")}
                >
                  <span className="truncate">{option.label}</span>
                  {option.value === value ? <Check className="ml-auto text-brass" aria-hidden="true" /> : null}
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
