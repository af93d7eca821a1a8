import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const inputLook =
  "w-full rounded-md border border-field-line bg-panel px-3 text-sm text-ink placeholder:text-ink-soft transition-colors hover:border-ink-soft focus-visible:border-brand focus-visible:outline-offset-0 aria-invalid:border-fault aria-invalid:focus-visible:outline-fault disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={classNames(inputLook, "h-9 max-md:h-11 max-md:text-base", className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={classNames(inputLook, "min-h-20 py-2 max-md:text-base", className)} {...rest} />;
}
