import { setTimeout as sleep } from "node:timers/promises";
import type { LeadImportCheck } from "@leadline/contract/lead-imports";

/** A request waits so long for the end of its check; what takes longer is asked for again. */
const waitMs = 3_000;
/** Who has not asked for so long has left, or chosen other columns. */
const keptMs = 10_000;

/** Of an organisation; the one that was asked for longest ago gives way. */
const mostAtOnce = 4;

interface Check {
  organisationId: string;
  soFar: LeadImportCheck;
  result: Promise<LeadImportCheck>;
  askedAtMs: number;
}

interface Of {
  what: string;
  organisationId: string;
}

/** Tells how far it is, and gives up where nobody wants it any more: its totals are null then. */
type Run = (tell: (soFar: LeadImportCheck) => void, isWanted: () => boolean) => Promise<LeadImportCheck>;

/** Checks under way and just done, by what they are of: 100,000 rows take longer than a request may on a busy machine. */
export function createRunningChecks() {
  const checks = new Map<string, Check>();

  function makeRoom(organisationId: string): void {
    const theirs = [...checks].filter(([, check]) => check.organisationId === organisationId);
    const surplus = theirs.toSorted(([, a], [, b]) => b.askedAtMs - a.askedAtMs).slice(mostAtOnce - 1);
    for (const [what, check] of surplus) {
      check.askedAtMs = -Infinity;
      checks.delete(what);
    }
  }

  function begin({ what, organisationId }: Of, run: Run): Check {
    makeRoom(organisationId);
    const isWanted = (): boolean => performance.now() - check.askedAtMs < waitMs + keptMs;
    const soFar = { totals: null, checkedRows: 0, preview: [] };
    const check: Check = { organisationId, soFar, askedAtMs: performance.now(), result: Promise.resolve(soFar) };
    check.result = run((news) => void (check.soFar = news), isWanted);
    checks.set(what, check);
    const forget = (): void => {
      if (checks.get(what) === check) checks.delete(what);
    };
    check.result.then(({ totals }) => (totals === null ? forget() : setTimeout(forget, keptMs).unref()), forget);
    return check;
  }

  return {
    /** The whole result, or after a while how far it is. */
    async result({ what, organisationId }: Of, run: Run): Promise<LeadImportCheck> {
      const check = checks.get(what) ?? begin({ what, organisationId }, run);
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
