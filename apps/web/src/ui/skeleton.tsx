import { clsx } from "clsx";

/** Stands where text or a picture will be: give it that thing's size. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("base:block base:h-4 animate-breathe base:rounded-[4px] bg-ink/10", className)}
    />
  );
}
