/** A fault for the next requests, for tests and experiments. */
export interface Fault {
  /** The paths that fail; all by default. */
  path?: RegExp;
  /** How many of those requests fail, 1 by default. */
  times?: number;
  /** Lets this many requests pass first. */
  after?: number;
  /** Responds with this status instead. */
  status?: number;
  errorCode?: string;
  headers?: Record<string, string>;
  /** Responds with this page or plain text instead, like a proxy, with the status or else 200. */
  page?: string;
  /** Carries out the request, then sends half of the response. */
  cutsAnswer?: boolean;
  /** Carries out the request, then delays the response. */
  delayMs?: number;
  /** Carries out the request, then disconnects instead of responding. */
  loseAnswer?: boolean;
  /** Called when it happens. */
  taken?: () => void;
  /** Called once the request was carried out, before its response. */
  carriedOut?: () => void;
  /** Disconnects at once, and carries out the request this much later. */
  carriedOutAfterMs?: number;
  /** Disconnects without carrying out the request. */
  drop?: boolean;
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  take(path: string): Fault | null;
}

export function createFaults(): Faults {
  let faults: (Fault & { left: number; toPass: number })[] = [];
  return {
    add: (fault) => void faults.push({ ...fault, left: fault.times ?? 1, toPass: fault.after ?? 0 }),
    clear: () => void (faults = []),
    take(path) {
      const fault = faults.find((candidate) => candidate.left > 0 && (candidate.path ?? /^/).test(path));
      if (fault === undefined) return null;
      if (fault.toPass > 0) {
        fault.toPass -= 1;
        return null;
      }
      fault.left -= 1;
      fault.taken?.();
      return fault;
    },
  };
}
