import { clsx } from "clsx";
import { MarkShapes } from "./mark.tsx";

/** The mark, swinging on its rope. `label` is for screen readers; omit it next to text that says the same. */
export function Spinner({ label, className }: { label?: string; className?: string | undefined }) {
  return (
    <span role={label ? "status" : undefined} className="inline-flex">
      <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={clsx("base:size-4 shrink-0", className)}>
        <g className="origin-[16px_2px] animate-sound">
          <MarkShapes />
        </g>
      </svg>
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  );
}
