import type { SandboxAnswer } from "../exchange.ts";
import { rateLimited } from "./errors.ts";

export interface Limits {
  /** Requests of one user with one API key per hour. */
  hourly: number;
  /** For requests that the reference marks as rate limited. */
  heavyHourly: number;
}
export const vendorLimits: Limits = { hourly: 1_000, heavyHourly: 250 };
export const noLimits: Limits = { hourly: 1e9, heavyHourly: 1e9 };

const hourMs = 3_600_000;

/** Counts requests, heavy ones separately. Nothing says when the hour is over. */
export function createLimits(limits: Limits) {
  const counted = { light: { count: 0, fromMs: 0 }, heavy: { count: 0, fromMs: 0 } };

  return ({ isHeavy }: { isHeavy: boolean }): { refused: SandboxAnswer | null; headers: Record<string, string> } => {
    const nowMs = Date.now();
    const window = isHeavy ? counted.heavy : counted.light;
    const most = isHeavy ? limits.heavyHourly : limits.hourly;
    if (nowMs - window.fromMs >= hourMs) Object.assign(window, { count: 0, fromMs: nowMs });
    const headers = {
      "x-rate-limit-limit": String(most),
      "x-rate-limit-remaining": String(Math.max(0, most - window.count - 1)),
    };
    if (window.count >= most) return { refused: rateLimited(300, headers), headers };
    window.count += 1;
    return { refused: null, headers };
  };
}
