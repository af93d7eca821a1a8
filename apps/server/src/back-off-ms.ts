/**
 * The delay before the next retry after this many consecutive failures. It doubles each time, with jitter, so that
 * processes don't retry in step.
 */
export const backOffMs = (failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number =>
  Math.min(firstMs * 2 ** failures * (0.75 + Math.random() / 2), longestMs);
