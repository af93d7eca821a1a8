import type { Tx } from "../../db/transaction.ts";
import { nobody, readLimits } from "./limits.table.ts";

/** The limits that a carrier can enforce too. */
export async function readLimitsToMirror(
  tx: Tx,
  organisationId: string,
): Promise<{ countries: readonly string[]; dailySpendMicros: number; simultaneousCalls: number }> {
  const { limits } = (await readLimits(tx, { organisationId, userId: nobody })).organisation;
  const { allowedCountries, dailySpend, concurrentCalls } = limits;
  return { countries: allowedCountries, dailySpendMicros: dailySpend, simultaneousCalls: concurrentCalls };
}
