import type { Tx } from "../../db/transaction.ts";
import { readLimits } from "./limits.table.ts";

/** Those that a carrier can enforce too. */
export async function readLimitsToMirror(
  tx: Tx,
  organisationId: string,
): Promise<{ countries: readonly string[]; dailySpendMicros: number; simultaneousCalls: number }> {
  const { allowedCountries, dailySpend, concurrentCalls } = await readLimits(tx, organisationId);
  return { countries: allowedCountries, dailySpendMicros: dailySpend, simultaneousCalls: concurrentCalls };
}
