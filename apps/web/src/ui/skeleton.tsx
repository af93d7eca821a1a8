import { clsx } from "clsx";

/** Placeholder for text or a picture: give it the same size. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={clsx("base:block base:h-4 animate-breathe base:rounded-[4px] bg-ink/10", className)}
    />
  );
}
