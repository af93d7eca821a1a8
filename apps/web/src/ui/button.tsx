import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

export const buttonLook = cva(
  "relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border border-transparent font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-busy:opacity-100 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        primary: "bg-brand text-on-brand hover:not-disabled:bg-brand-strong",
        plain: "border-line bg-panel text-ink hover:not-disabled:border-field-line/60 hover:not-disabled:bg-sunk",
        quiet: "text-ink hover:not-disabled:bg-ink/6",
        call: "bg-call text-on-call hover:not-disabled:bg-call-strong",
        end: "bg-end text-on-end hover:not-disabled:bg-end-strong",
        danger: "border-line bg-panel text-fault hover:not-disabled:border-fault/40 hover:not-disabled:bg-fault-wash",
      },
      size: {
        small: "h-8 px-3 text-table",
        medium: "h-9 px-4 text-sm",
        large: "h-11 px-6 text-[15px]",
      },
    },
    defaultVariants: { tone: "primary", size: "medium" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonLook> {
  /** Renders its only child (a link) with the button's look. */
  asChild?: boolean;
  /** Spins without changing its width, and takes no further clicks: nor the second of a double one, which comes sooner. */
  busy?: boolean;
}

export function Button({ tone, size, asChild, busy, className, children, disabled, onClick, ...rest }: ButtonProps) {
  const look = classNames(buttonLook({ tone, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={look} onClick={onClick} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  const isDeed = busy !== undefined;
  return (
    <button
      type="button"
      className={look}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (isDeed && event.detail > 1) event.preventDefault();
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
