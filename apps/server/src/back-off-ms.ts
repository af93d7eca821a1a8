/** How long to wait after so many failures in a row before the next try: twice as long each time, with jitter, so that several don't try in step. */
export const backOffMs = (failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number =>
  Math.min(firstMs * 2 ** failures * (0.75 + Math.random() / 2), longestMs);
