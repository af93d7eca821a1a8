import { classNames } from "./class-names.ts";

/** Stands where text or a picture will be: give it that thing's size. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span aria-hidden="true" className={classNames("block h-4 animate-breathe rounded-[4px] bg-ink/10", className)} />
  );
}
