import { CrmError } from "./crm.ts";
import { OutboundError } from "./outbound/open-outbound.ts";

/** Whether a page with fewer records may pass: the response was too large, or took too long. */
export function isTooMuch(error: unknown): boolean {
  const cause = error instanceof CrmError ? error.cause : null;
  return cause instanceof OutboundError && (cause.fault === "too-large" || cause.fault === "time-out");
}

export const smallerPage = (size: number, least: number): number => Math.max(least, Math.floor(size / 2));

/** Grows slowly: if large pages fail again, only one request in eight does. */
export const largerPage = (size: number, most: number): number => Math.min(most, Math.ceil(size * 1.1));
