import { clsx } from "clsx";
import { type CallQuality, qualityBars, qualityLabels } from "../quality/rate-quality.ts";

const heights = ["h-1", "h-1.5", "h-2", "h-2.5"];

interface QualityBadgeProps {
  quality: CallQuality | null;
  /** A narrow screen only shows the bars. */
  compact?: boolean;
}

/** Bars and a word: ▂▄▆ Good. */
export function QualityBadge({ quality, compact = false }: QualityBadgeProps) {
  if (!quality) return null;
  const lit = qualityBars[quality];
  return (
    <span
      className={clsx(
        "inline-flex items-center gap-1.5 text-table",
        quality === "poor" || quality === "fair" ? "text-fault" : "text-ink-soft",
      )}
    >
      <span aria-hidden="true" className="inline-flex items-end gap-0.5">
        {heights.map((height, i) => (
          <span key={height} className={clsx("w-[3px] rounded-[1px]", height, i < lit ? "bg-current" : "bg-ink/15")} />
        ))}
      </span>
      <span className="sr-only">Call quality: </span>
      <span className={compact ? "max-sm:sr-only" : undefined}>{qualityLabels[quality]}</span>
    </span>
  );
}
