const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** 812 B, 14 kB, 3.2 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${number.format(bytes / 1_000_000)} MB`;
}
