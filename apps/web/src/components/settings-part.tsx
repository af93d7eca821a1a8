import type { ReactNode } from "react";

/** A section of a settings page: its topic on the left, its fields next to it. */
export function SettingsPart({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-10 gap-y-4 border-t border-line pt-6 pb-2 md:grid-cols-[260px_440px]">
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-0.5 text-table text-pretty text-ink-soft">{lead}</p>
      </div>
      <div className="flex max-w-[440px] flex-col gap-5">{children}</div>
    </section>
  );
}
