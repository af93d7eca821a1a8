import type { ReactNode } from "react";

/** A page of text: one column, one heading per part. */
export function Prose({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article className="mx-auto w-full max-w-[680px] px-5 pt-8 pb-20 md:pt-14">
      <h1 className="text-display font-semibold tracking-[-0.02em] text-balance">{title}</h1>
      <p className="mt-3 text-[17px]/[26px] text-pretty text-ink-soft">{lead}</p>
      <div className="mt-4">{children}</div>
    </article>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mt-2 flex flex-col gap-3 text-[15px]/[24px] text-pretty [&_ul]:list-disc [&_ul]:pl-5">
        {children}
      </div>
    </section>
  );
}
