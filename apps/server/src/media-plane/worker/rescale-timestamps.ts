interface Rescaling {
  /** The source's timestamp that becomes `to`, and those clocks' rates. */
  from: number;
  to: number;
  fromRate: number;
  toRate: number;
}

/** A stream's timestamps by another clock, also where either of them wraps: to be asked in the order in which packets come. */
export function rescaleTimestamps({ from, to, fromRate, toRate }: Rescaling): (timestamp: number) => number {
  let last = from;
  let passed = 0;
  return (timestamp) => {
    passed += (timestamp - last) | 0;
    last = timestamp;
    return (to + Math.round((passed * toRate) / fromRate)) >>> 0;
  };
}
