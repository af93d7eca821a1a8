import type { CrmLimit } from "./crm.ts";

/** After a minute, other apps may have used up more. */
const longestMs = 60_000;
const maxKept = 2_000;

export interface LatestLimits {
  /** `kind`: which of the CRM's limits, if it has several. */
  note(accessToken: string, limit: CrmLimit, kind?: string): void;
  /** The one nearest to its end. Null if none was reported within the last minute, or within its own window. */
  read(accessToken: string): CrmLimit | null;
}

/** What a CRM's responses say about its limits, by access token, so that reading a limit takes no request. */
export function createLatestLimits(): LatestLimits {
  const latest = new Map<string, { accessToken: string; limit: CrmLimit; atMs: number }>();
  const isCurrent = ({ limit, atMs }: { limit: CrmLimit; atMs: number }): boolean =>
    performance.now() - atMs < Math.min(longestMs, limit.windowMs);
  return {
    note(accessToken, limit, kind = "") {
      const key = `${kind} ${accessToken}`;
      // Deleted first, so that the oldest are at the beginning.
      latest.delete(key);
      latest.set(key, { accessToken, limit, atMs: performance.now() });
      const [oldest] = latest.keys();
      if (latest.size > maxKept && oldest !== undefined) latest.delete(oldest);
    },
    read(accessToken) {
      const known = [...latest.values()].filter((each) => each.accessToken === accessToken && isCurrent(each));
      const [nearest] = known.toSorted((a, b) => a.limit.left / a.limit.most - b.limit.left / b.limit.most);
      return nearest?.limit ?? null;
    },
  };
}

/** A count in a response's header. Null if it is missing or no count. */
export const readCount = (header: string | readonly string[] | undefined): number | null =>
  typeof header === "string" && /^\d{1,12}$/.test(header) ? Number(header) : null;
