export interface TokenBucket {
  take(): boolean;
}

/** At most so many a second, and as many at once as gather in two quiet seconds. */
export function createTokenBucket(options: { perSecond: number }): TokenBucket {
  const most = options.perSecond * 2;
  let tokens = most;
  let lastMs = performance.now();
  return {
    take() {
      const nowMs = performance.now();
      tokens = Math.min(most, tokens + ((nowMs - lastMs) / 1000) * options.perSecond);
      lastMs = nowMs;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}
