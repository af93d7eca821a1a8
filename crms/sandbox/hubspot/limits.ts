import type { SandboxResponse } from "../exchange.ts";
import { rateLimited } from "./errors.ts";

export interface Limits {
  /** Requests per account in any ten seconds. */
  tenSecondly: number;
  searchesASecond: number;
  daily: number;
}
/** For an app installed by OAuth in an account without add-ons. */
export const vendorLimits: Limits = { tenSecondly: 110, searchesASecond: 5, daily: 250_000 };
export const noLimits: Limits = { tenSecondly: 1e9, searchesASecond: 1e9, daily: 1e9 };

/** Counts requests. Searches have their own count. */
export function createLimits(limits: Limits) {
  const recent: number[] = [];
  const searches: number[] = [];
  /** Sent by the customer's other apps, all the time. */
  let byOthers = 0;
  let today = { day: "", count: 0 };

  function leave(left: number | null): void {
    recent.length = 0;
    byOthers = left === null ? 0 : limits.tenSecondly - left;
  }

  function count({ path }: { path: string }): { refused: SandboxResponse | null; headers: Record<string, string> } {
    const nowMs = Date.now();
    const day = new Date(nowMs).toISOString().slice(0, 10);
    if (today.day !== day) today = { day, count: 0 };
    const isSearch = path.endsWith("/search");
    const [times, most, windowMs, policy] = isSearch
      ? [searches, limits.searchesASecond, 1_000, "SECONDLY"]
      : [recent, limits.tenSecondly - byOthers, 10_000, "TEN_SECONDLY_ROLLING"];
    while (times[0] !== undefined && times[0] <= nowMs - windowMs) times.shift();
    // Responses to searches don't have these headers.
    const headers = isSearch
      ? {}
      : {
          "x-hubspot-ratelimit-max": String(limits.tenSecondly),
          "x-hubspot-ratelimit-remaining": String(Math.max(0, most - times.length - 1)),
          "x-hubspot-ratelimit-interval-milliseconds": "10000",
        };
    if (today.count >= limits.daily) return { refused: rateLimited("DAILY", headers), headers };
    if (times.length >= most) return { refused: rateLimited(policy, headers), headers };
    times.push(nowMs);
    today.count += 1;
    return { refused: null, headers };
  }

  return { count, leave };
}
