import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** The organisation's clock. */
export const timeZoneOf = async (tx: Tx, organisationId: string): Promise<string> =>
  (await findOpeningHours(tx, organisationId))?.timeZone ?? "UTC";
