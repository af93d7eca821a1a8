import { clsx } from "clsx";

/** A lead line: the brass rope, and a weight shaped like a handset's earpiece. */
export function Mark({ className, rope = true }: { className?: string | undefined; rope?: boolean }) {
  return (
    <svg
      viewBox={rope ? "0 0 32 32" : "0 8 32 24"}
      fill="none"
      aria-hidden="true"
      className={clsx("base:size-6 shrink-0", className)}
    >
      <MarkShapes rope={rope} />
    </svg>
  );
}

export function MarkShapes({ rope = true }: { rope?: boolean }) {
  return (
    <>
      {rope ? <path d="M16 2v10" stroke="var(--brass)" strokeWidth="3" strokeLinecap="round" /> : null}
      <path fill="currentColor" fillRule="evenodd" d={weightOutline} />
    </>
  );
}

/** The same drawing as public/favicon.svg. */
const weightOutline =
  "M16 8c2.6 0 4 1.7 4.3 4.2l.6 5.3c.2 1.5.9 2.2 2.3 2.6l1.8.5c2.2.6 3.5 2.1 3.5 4.2V26c0 2.2-1.8 4-4 4h-17c-2.2 0-4-1.8-4-4v-1.2c0-2.1 1.3-3.6 3.5-4.2l1.8-.5c1.4-.4 2.1-1.1 2.3-2.6l.6-5.3C12 9.7 13.4 8 16 8ZM9.5 25a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0ZM14.5 25a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0ZM19.5 25a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0Z";
