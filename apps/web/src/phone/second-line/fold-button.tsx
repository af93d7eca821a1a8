import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface FoldButtonProps {
  open: boolean;
  onToggle: () => void;
  /** Its accessible name if it has no text. */
  label: string;
  className?: string;
  children?: ReactNode;
}

/** Opens and closes what doesn't fit on a narrow screen. */
export function FoldButton({ open, onToggle, label, className, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={children === undefined ? label : undefined}
      title={label}
      onClick={onToggle}
      className={clsx("flex min-h-8 items-center gap-2 rounded-[4px] px-1 text-left hover:bg-ink/6", className)}
    >
      {children}
      <ChevronDown
        className={clsx("size-4 shrink-0 text-ink-soft transition-transform", open && "rotate-180")}
        aria-hidden="true"
      />
    </button>
  );
}
