import type { ReactNode } from "react";
import { Mark } from "../ui/mark.tsx";

/** A form that hangs from the lead line of the logo. */
export function AuthCard({
  title,
  lead,
  children,
  foot,
}: {
  title: string;
  lead?: string;
  children: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <div className="flex flex-1 flex-col items-center px-4 pb-16">
      <span aria-hidden="true" className="-mt-16 h-[max(104px,15dvh)] w-[3px] bg-brass" />
      <Mark rope={false} className="-mt-0.5 h-10 w-13 text-brand" />
      <section className="mt-5 w-full max-w-[408px] rounded-md border border-line bg-panel p-6 shadow-lift md:p-8">
        <h1 className="text-title font-semibold tracking-[-0.01em]">{title}</h1>
        {lead ? <p className="mt-0.5 text-ink-soft">{lead}</p> : null}
        <div className="mt-6">{children}</div>
      </section>
      {foot ? <p className="mt-5 text-sm text-ink-soft">{foot}</p> : null}
    </div>
  );
}

export const textLinkLook =
  "rounded-[4px] font-medium text-brand underline decoration-brand/35 underline-offset-3 hover:decoration-brand";
