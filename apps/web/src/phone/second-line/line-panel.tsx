import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useTakeLostFocus } from "../../ui/use-take-lost-focus.ts";

/** The frame around the calls of both lines; it takes the focus if a focused control in it disappears. */
export function LinePanel({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <section
      ref={useTakeLostFocus()}
      tabIndex={-1}
      data-next-focus
      aria-label={label}
      className={clsx(
        "@container flex flex-col gap-3 rounded-md border border-brass/40 bg-brass-wash outline-none",
        className,
      )}
    >
      {children}
    </section>
  );
}
