import { isOpenAt } from "@leadline/contract/opening-hours";
import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** On the organisation's own clock. */
export async function isOpenNow(tx: Tx, organisationId: string): Promise<boolean> {
  const hours = await findOpeningHours(tx, organisationId);
  return hours === undefined || isOpenAt(hours, new Date());
}
