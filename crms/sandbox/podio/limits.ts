import type { SandboxResponse } from "../exchange.ts";
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
  const light = { most: limits.hourly, count: 0, fromMs: 0 };
  const heavy = { most: limits.heavyHourly, count: 0, fromMs: 0 };

  function leave(left: number | null): void {
    for (const each of [light, heavy]) {
      each.fromMs = Date.now();
      each.count = left === null ? 0 : each.most - left;
    }
  }

  function count({ isHeavy }: { isHeavy: boolean }): {
    refused: SandboxResponse | null;
    headers: Record<string, string>;
  } {
    const nowMs = Date.now();
    const window = isHeavy ? heavy : light;
    if (nowMs - window.fromMs >= hourMs) Object.assign(window, { count: 0, fromMs: nowMs });
    const headers = {
      "x-rate-limit-limit": String(window.most),
      "x-rate-limit-remaining": String(Math.max(0, window.most - window.count - 1)),
    };
    if (window.count >= window.most) return { refused: rateLimited(300, headers), headers };
    window.count += 1;
    return { refused: null, headers };
  }

  return { count, leave };
}
