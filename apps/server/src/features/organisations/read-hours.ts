import type { Organisation } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import { findOpeningHours } from "./organisations.table.ts";

/** When the organisation is open, in its time zone, and when people may be called, in theirs. */
export const readHours = async (
  tx: Tx,
  organisationId: string,
): Promise<Pick<Organisation, "openingHours" | "callingHours" | "timeZone">> =>
  (await findOpeningHours(tx, organisationId)) ?? { openingHours: [], callingHours: [], timeZone: "UTC" };
