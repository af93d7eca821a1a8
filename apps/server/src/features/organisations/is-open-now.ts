import { isOpenAt } from "@leadline/contract/opening-hours";
import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** In the organisation's own time zone. */
export async function isOpenNow(tx: Tx, organisationId: string): Promise<boolean> {
  const hours = await findOpeningHours(tx, organisationId);
  return hours === undefined || isOpenAt(hours, new Date());
}
