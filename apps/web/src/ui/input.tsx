import { clsx } from "clsx";
import { type ComponentProps, useState } from "react";

export const inputLook =
  "base:w-full rounded-md border border-field-line bg-panel base:px-3 base:text-sm text-ink placeholder:text-ink-soft transition-colors hover:border-ink-soft focus-visible:border-brand focus-visible:outline-offset-0 aria-invalid:border-fault aria-invalid:focus-visible:outline-fault disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  // What is typed reads from its own side, whichever language it is in.
  const dir = rest.type === undefined || rest.type === "text" ? "auto" : undefined;
  return <input dir={dir} className={clsx(inputLook, "base:h-9 max-md:h-11 max-md:text-base", className)} {...rest} />;
}

/** Not type="email": browsers convert an international domain to another spelling than the typed one. */
export function EmailInput(props: ComponentProps<"input">) {
  return <Input type="text" inputMode="email" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />;
}

/** A whole number of a few digits. */
export function NumberInput(props: ComponentProps<"input">) {
  return <Input type="number" inputMode="numeric" className="max-w-32 tabular-nums" {...props} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea dir="auto" className={clsx(inputLook, "base:min-h-20 py-2 max-md:text-base", className)} {...rest} />
  );
}

/** The password can be shown, to check for typos. Uses words: the login page loads no icons for this. */
export function PasswordInput(props: ComponentProps<"input">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input {...props} type={shown ? "text" : "password"} className="pr-16" />
      <button
        type="button"
        aria-label={shown ? "Hide entered text" : "Show entered text"}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-1 right-1 rounded-md px-2.5 text-xs font-medium text-ink-soft hover:text-ink"
      >
        {shown ? "Hide" : "Show"}
      </button>
    </div>
  );
}
