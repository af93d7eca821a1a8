import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import { Slot } from "radix-ui";
import { type ComponentProps, useEffect, useRef } from "react";
import { isFocusLost } from "./is-focus-lost.ts";
import { Spinner } from "./spinner.tsx";

export const buttonLook = cva(
  "base:relative base:inline-flex base:shrink-0 base:items-center base:justify-center base:gap-2 rounded-md border base:border-transparent base:font-medium base:whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-busy:opacity-100 base:[&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        primary: "bg-brand text-on-brand hover:not-disabled:bg-brand-strong",
        plain: "border-line bg-panel base:text-ink hover:not-disabled:border-field-line/60 hover:not-disabled:bg-sunk",
        quiet: "base:text-ink hover:not-disabled:bg-ink/6",
        call: "bg-call text-on-call hover:not-disabled:bg-call-strong",
        end: "bg-end text-on-end hover:not-disabled:bg-end-strong",
        danger: "border-line bg-panel text-fault hover:not-disabled:border-fault/40 hover:not-disabled:bg-fault-wash",
      },
      size: {
        small: "base:h-8 base:px-3 base:text-table",
        medium: "base:h-9 base:px-4 base:text-sm",
        large: "base:h-11 base:px-6 base:text-[15px]",
      },
    },
    defaultVariants: { tone: "primary", size: "medium" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonLook> {
  /** Renders its only child (a link) with the button's style. */
  asChild?: boolean;
  /** Shows a spinner without changing its width, and ignores further clicks, including the second of a double click. */
  busy?: boolean;
}

export function Button({ tone, size, asChild, busy, className, children, disabled, onClick, ...rest }: ButtonProps) {
  const look = clsx(buttonLook({ tone, size }), className);
  const pressed = useRef<HTMLButtonElement>(null);
  // A disabled button loses the focus, and a refused form would be left without it.
  useEffect(() => {
    if (busy) return;
    if (isFocusLost()) pressed.current?.focus({ preventScroll: true });
    pressed.current = null;
  }, [busy]);
  if (asChild) {
    return (
      <Slot.Root className={look} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  const isAction = busy !== undefined;
  return (
    <button
      type="button"
      className={look}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (document.activeElement === event.currentTarget) pressed.current = event.currentTarget;
        if (isAction && event.detail > 1) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy ? (
        <>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner className="[--brass:currentColor]" />
          </span>
        </>
      ) : (
        children
      )}
    </button>
  );
}
