export interface Change {
  direction: "up" | "down" | "same";
  /** 25 %, 4 points. Empty if there is nothing to compare with. */
  size: string;
  /** from 12; none before. */
  from: string;
}

interface Compared {
  now: number | null;
  before: number | null;
  format: (value: number) => string;
  /** For percentages: shows the difference in points instead of a percentage of a percentage. */
  inPoints?: boolean;
}

/** Compares a figure with the previous period's, in words. Null if the period has no figure. */
export function describeChange({ now, before, format, inPoints = false }: Compared): Change | null {
  if (now === null) return null;
  const direction = before === null || now === before ? "same" : now > before ? "up" : "down";
  if (before === null || (before === 0 && !inPoints))
    return { direction, size: "", from: before === null || now === 0 ? "none before" : `from ${format(before)}` };
  // The difference of the two shares as displayed.
  const points = Math.round(now * 100) - Math.round(before * 100);
  const size = inPoints ? points : Math.round(((now - before) / before) * 100);
  if (size === 0) return { direction: "same", size: "", from: `unchanged from ${format(before)}` };
  const unit = inPoints ? (Math.abs(size) === 1 ? "point" : "points") : "%";
  return { direction, size: `${Math.abs(size)} ${unit}`, from: `from ${format(before)}` };
}
