import { setTimeout as sleep } from "node:timers/promises";
import type { LeadImportCheck } from "@leadline/contract/lead-imports";

/** How long a request waits for its check. The client polls for longer checks. */
const waitMs = 3_000;
/** A client that hasn't asked for this long has left, or chosen other columns. */
const keptMs = 10_000;

/** Per organisation. The one requested longest ago is dropped. */
const maxAtOnce = 4;

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

/** Reports progress through `report`, and stops once no one waits for it; its totals are null then. */
type Run = (report: (soFar: LeadImportCheck) => void, isWanted: () => boolean) => Promise<LeadImportCheck>;

/**
 * Checks in progress or just finished, by what they check: 100,000 rows can take longer than a request may on a busy
 * machine.
 */
export function createRunningChecks() {
  const checks = new Map<string, Check>();

  function makeRoom(organisationId: string): void {
    const theirs = [...checks].filter(([, check]) => check.organisationId === organisationId);
    const surplus = theirs.toSorted(([, a], [, b]) => b.askedAtMs - a.askedAtMs).slice(maxAtOnce - 1);
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
    /** The whole result, or the progress so far if it takes long. */
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
