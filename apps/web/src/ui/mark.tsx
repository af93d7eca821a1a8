import { classNames } from "./class-names.ts";

/** A lead line: the brass rope and the weight, whose hollow foot is a handset's ear. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={classNames("size-6 shrink-0", className)}>
      <MarkShapes />
    </svg>
  );
}

export function MarkShapes() {
  return (
    <>
      <path d="M16 2v11" stroke="var(--brass)" strokeWidth="3" strokeLinecap="round" />
      <path
        fill="currentColor"
        d="M16 10.5c1.7 0 2.7 1.1 2.9 2.8.3 2.6 1.6 4 4.3 5.2 3 1.300 4.800 3.500 4.800 6.500v2c0 1.700-1.300 3-3 3h-1.500c-1.200 0-2.200-.7-2.800-1.700-.9-1.700-2.700-2.800-4.700-2.800s-3.800 1.100-4.700 2.800c-.6 1-1.600 1.700-2.800 1.700H7c-1.700 0-3-1.300-3-3v-2c0-3 1.800-5.200 4.800-6.500 2.700-1.200 4-2.600 4.300-5.200.2-1.700 1.200-2.800 2.900-2.800Z"
      />
    </>
  );
}
