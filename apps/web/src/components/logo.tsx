import { clsx } from "clsx";
import { Mark } from "../ui/mark.tsx";

export function Logo({ wordHidden = false, className }: { wordHidden?: boolean; className?: string }) {
  return (
    <span className={clsx("inline-flex items-center gap-2 text-brand", className)}>
      <Mark className="size-6" />
      <span className={clsx("text-[17px] font-semibold tracking-[-0.015em] text-ink", wordHidden && "sr-only")}>
        Leadline
      </span>
    </span>
  );
}
