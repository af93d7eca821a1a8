import { json, type SandboxResponse } from "../exchange.ts";
import { apiError } from "./errors.ts";

export interface Limits {
  /** API requests of the whole organisation in 24 hours. */
  daily: number;
}
/** Of a Developer Edition. */
export const vendorLimits: Limits = { daily: 15_000 };
export const noLimits: Limits = { daily: 1e9 };

const dayMs = 86_400_000;

/** Counts requests, and reports them with each response (REST API Developer Guide, Limit Info Header). */
export function createLimits({ daily: most }: Limits) {
  const today = { count: 0, fromMs: 0 };

  function leave(left: number | null): void {
    Object.assign(today, { count: left === null ? 0 : most - left, fromMs: Date.now() });
  }

  function count(): { refused: SandboxResponse | null; headers: Record<string, string> } {
    const nowMs = Date.now();
    if (nowMs - today.fromMs >= dayMs) Object.assign(today, { count: 0, fromMs: nowMs });
    const isOver = today.count >= most;
    if (!isOver) today.count += 1;
    const refused = isOver ? apiError(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.") : null;
    return { refused, headers: { "sforce-limit-info": `api-usage=${today.count}/${most}` } };
  }

  /** The resource Limits, of which this is the part about API requests. */
  const show = (): SandboxResponse => json(200, { DailyApiRequests: { Max: most, Remaining: most - today.count } });

  return { count, leave, show };
}
