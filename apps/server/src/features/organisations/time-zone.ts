import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** The organisation's time zone. */
export const timeZoneOf = async (tx: Tx, organisationId: string): Promise<string> =>
  (await findOpeningHours(tx, organisationId))?.timeZone ?? "UTC";

/** Today in the organisation's time zone, as YYYY-MM-DD. */
export async function dayNow(tx: Tx, organisationId: string): Promise<string> {
  const timeZone = await timeZoneOf(tx, organisationId);
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date());
}
