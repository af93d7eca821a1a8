interface Rescaling {
  /** The source timestamp that maps to `to`, and the two clock rates. */
  from: number;
  to: number;
  fromRate: number;
  toRate: number;
}

/** Rescales a stream's timestamps to another clock, across wraps of either. Call it in the order of arrival. */
export function rescaleTimestamps({ from, to, fromRate, toRate }: Rescaling): (timestamp: number) => number {
  let last = from;
  let passed = 0;
  return (timestamp) => {
    passed += (timestamp - last) | 0;
    last = timestamp;
    return (to + Math.round((passed * toRate) / fromRate)) >>> 0;
  };
}
