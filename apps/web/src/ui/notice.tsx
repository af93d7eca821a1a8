import { clsx } from "clsx";
import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";

interface NoticeProps {
  tone?: "fault" | "brass";
  title?: string | undefined;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** Says what happened and what to do next, where it happened. A fault is announced immediately. */
export function Notice({ tone = "fault", title, children, action, className }: NoticeProps) {
  const Icon = tone === "fault" ? CircleAlert : Info;
  return (
    <div
      role={tone === "fault" ? "alert" : "status"}
      className={clsx(
        "flex items-start gap-3 rounded-md border px-4 py-3 text-sm",
        tone === "fault" ? "border-fault/30 bg-fault-wash" : "border-brass/40 bg-brass-wash",
        className,
      )}
    >
      <Icon
        aria-hidden="true"
        className={clsx("mt-0.5 size-4 shrink-0", tone === "fault" ? "text-fault" : "text-brass")}
      />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        <div className="text-pretty">{children}</div>
      </div>
      {action ? <div className="shrink-0">{action}</div> : null}
    </div>
  );
}
