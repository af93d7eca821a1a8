import { clsx } from "clsx";
import type { ReactNode } from "react";

interface EmptyStateProps {
  /** A picture of the future content. */
  picture?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The action that adds the first item. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ picture, title, children, action, className }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        "flex flex-col items-center gap-1 rounded-md border border-dashed border-field-line/50 base:px-6 base:py-12 text-center",
        className,
      )}
    >
      {picture ? <div className="mb-3 text-ink-soft">{picture}</div> : null}
      <p className="max-w-full text-sm font-semibold wrap-anywhere">{title}</p>
      {children ? (
        <p className="max-w-[min(48ch,100%)] text-sm text-pretty wrap-anywhere text-ink-soft">{children}</p>
      ) : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
