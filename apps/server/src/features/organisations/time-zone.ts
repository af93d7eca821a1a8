import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** The organisation's time zone. */
export const timeZoneOf = async (tx: Tx, organisationId: string): Promise<string> =>
  (await findOpeningHours(tx, organisationId))?.timeZone ?? "UTC";

/** Writes moments as 2026-03-29 14:30:00 on the clock of that time zone. */
export function clockOf(timeZone: string): (timestamp: string) => string {
  // As the Swedish locale does.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (timestamp) => format.format(new Date(timestamp));
}

/** Today in the organisation's time zone, as YYYY-MM-DD. */
export async function dayNow(tx: Tx, organisationId: string): Promise<string> {
  const timeZone = await timeZoneOf(tx, organisationId);
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
}
