import { CrmError } from "./crm.ts";
import { OutboundError } from "./outbound/open-outbound.ts";

/** Whether a page with fewer records may pass: the response was too large, or took too long. */
function isTooMuch(error: unknown): boolean {
  const cause = error instanceof CrmError ? error.cause : null;
  return cause instanceof OutboundError && (cause.fault === "too-large" || cause.fault === "time-out");
}

/**
 * The size to try after this error of a page; throws the error if a smaller page wouldn't help. Store the cursor with
 * it, next to `nothingRead`, so that no later attempt fails the same way.
 */
export function smallerPage(error: unknown, { size, least }: { size: number; least: number }): number {
  const smaller = Math.max(least, Math.floor(size / 2));
  if (!isTooMuch(error) || smaller === size) throw error;
  return smaller;
}
export const nothingRead = { leads: [], leftOut: [], deleted: [], total: null, done: false };

/** Grows slowly: if large pages fail again, only one request in eight does. */
export const largerPage = (size: number, most: number): number => Math.min(most, Math.ceil(size * 1.1));
