import { setTimeout as sleep } from "node:timers/promises";
import type { LeadImportCheck } from "@leadline/contract/lead-imports";

/** A request waits so long for the end of its check; what takes longer is asked for again. */
const waitMs = 3_000;
/** Who has not asked for so long has left, or chosen other columns. */
const keptMs = 10_000;

interface Check {
  soFar: LeadImportCheck;
  result: Promise<LeadImportCheck>;
  askedAtMs: number;
}

/** Tells how far it is, and gives up where nobody wants it any more: its totals are null then. */
type Run = (tell: (soFar: LeadImportCheck) => void, isWanted: () => boolean) => Promise<LeadImportCheck>;

/** Checks under way and just done, by what they are of: 100,000 rows take longer than a request may on a busy machine. */
export function createRunningChecks() {
  const checks = new Map<string, Check>();

  function begin(what: string, run: Run): Check {
    const isWanted = (): boolean => performance.now() - check.askedAtMs < waitMs + keptMs;
    const soFar = { totals: null, checkedRows: 0, preview: [] };
    const check: Check = { soFar, askedAtMs: performance.now(), result: Promise.resolve(soFar) };
    check.result = run((news) => void (check.soFar = news), isWanted);
    checks.set(what, check);
    const forget = (): void => void checks.delete(what);
    check.result.then(({ totals }) => (totals === null ? forget() : setTimeout(forget, keptMs).unref()), forget);
    return check;
  }

  return {
    /** The whole result, or after a while how far it is. */
    async result(what: string, run: Run): Promise<LeadImportCheck> {
      const check = checks.get(what) ?? begin(what, run);
      check.askedAtMs = performance.now();
      const enough = new AbortController();
      const soFar = sleep(waitMs, undefined, { signal: enough.signal }).then(
        () => check.soFar,
        () => check.soFar,
      );
      try {
        return await Promise.race([check.result, soFar]);
      } finally {
        enough.abort();
      }
    },
  };
}
export type RunningChecks = ReturnType<typeof createRunningChecks>;
