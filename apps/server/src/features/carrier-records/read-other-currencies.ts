import type { OtherCurrency } from "@leadline/contract/carrier-costs";
import type { Tx } from "../../db/transaction.ts";
import { selectOtherCurrencies } from "./differences.table.ts";

/** What carriers bill within the period in currencies that the ledger doesn't count. */
export const readOtherCurrencies = (
  tx: Tx,
  organisationId: string,
  period: { beganAt: string; endedAt: string },
): Promise<OtherCurrency[]> => selectOtherCurrencies(tx, organisationId, period);
