import type { ReactNode } from "react";

export function PageHeader({ title, lead, action }: { title: string; lead?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="text-title font-semibold tracking-[-0.01em]">{title}</h1>
        {lead ? <p className="text-ink-soft">{lead}</p> : null}
      </div>
      {action}
    </div>
  );
}
