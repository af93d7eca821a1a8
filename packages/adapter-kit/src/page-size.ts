import { CrmError, type CrmLeadPage } from "./crm.ts";
import { OutboundError } from "./outbound/open-outbound.ts";

/** Whether a page with fewer records may pass: the response was too large, or took too long. */
function isTooMuch(error: unknown): boolean {
  const cause = error instanceof CrmError ? error.cause : null;
  return cause instanceof OutboundError && (cause.fault === "too-large" || cause.fault === "time-out");
}

/**
 * Reads a page of leads. If that is too much, returns an empty page whose cursor has a smaller size, so that no later
 * attempt fails the same way.
 */
export async function readOrShrink(
  read: () => Promise<CrmLeadPage>,
  {
    size,
    least,
    total,
    cursorOf,
  }: { size: number; least: number; total: number | null; cursorOf(size: number): string },
): Promise<CrmLeadPage> {
  try {
    return await read();
  } catch (error) {
    const smaller = Math.max(least, Math.floor(size / 2));
    if (!isTooMuch(error) || smaller === size) throw error;
    return { leads: [], leftOut: [], deleted: [], total, done: false, cursor: cursorOf(smaller) };
  }
}

/** Grows slowly: if large pages fail again, only one request in eight does. */
export const largerPage = (size: number, most: number): number => Math.min(most, Math.ceil(size * 1.1));
