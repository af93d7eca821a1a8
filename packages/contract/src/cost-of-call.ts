import type { CallRate } from "./rates.ts";

/**
 * What an answered call of this length costs, in millionths of a US dollar, rounded up. Without a rate it costs nothing.
 * The database charges by the same formula (`cost_of_call`).
 */
export function costOfCall(rate: CallRate | null, durationMs: number): number {
  if (rate === null) return 0;
  const { firstSeconds, nextSeconds, perMinuteMicros, connectionFeeMicros } = rate;
  const beyondMs = Math.max(0, durationMs - firstSeconds * 1_000);
  const billed = firstSeconds + Math.ceil(beyondMs / (nextSeconds * 1_000)) * nextSeconds;
  return connectionFeeMicros + Math.ceil((perMinuteMicros * billed) / 60);
}

/** How long after the answer the next chargeable stretch begins. */
export function nextStretchMs({ firstSeconds, nextSeconds }: CallRate, durationMs: number): number {
  const firstMs = firstSeconds * 1_000;
  const nextMs = nextSeconds * 1_000;
  return durationMs < firstMs ? firstMs : firstMs + (Math.floor((durationMs - firstMs) / nextMs) + 1) * nextMs;
}

/** Adds `percent`, rounded up to the micro. */
export const withMarginMicros = (micros: number, percent: number): number =>
  Math.ceil((micros * (100 + percent)) / 100);

export const withMargin = (rate: CallRate, percent: number): CallRate => ({
  ...rate,
  perMinuteMicros: withMarginMicros(rate.perMinuteMicros, percent),
  connectionFeeMicros: withMarginMicros(rate.connectionFeeMicros, percent),
});
