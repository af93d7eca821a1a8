export interface TokenBucket {
  take(): boolean;
}

/** Limits events to a rate of `perSecond`, with bursts of up to `most`. */
export function createTokenBucket({ perSecond, most }: { perSecond: number; most: number }): TokenBucket {
  let tokens = most;
  let lastMs = performance.now();
  return {
    take() {
      const nowMs = performance.now();
      tokens = Math.min(most, tokens + ((nowMs - lastMs) / 1000) * perSecond);
      lastMs = nowMs;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}
