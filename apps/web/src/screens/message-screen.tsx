import type { ReactNode } from "react";
import { Mark } from "../ui/mark.tsx";

/** A single message in the middle of the page, with a link. */
export function MessageScreen({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex min-h-[70dvh] flex-col items-center px-6 text-center">
      <span aria-hidden="true" className="h-[18dvh] w-[3px] bg-brass" />
      <Mark rope={false} className="-mt-0.5 h-10 w-13 text-brand" />
      <h1 className="mt-8 text-title font-semibold">{title}</h1>
      {children ? <div className="mt-2 max-w-[46ch] text-pretty text-ink-soft">{children}</div> : null}
      {action ? <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
