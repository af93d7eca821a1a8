import type { Tx } from "../../db/transaction.ts";
import { putRates } from "./rates.table.ts";

/** One price per started minute for all numbers and dates. */
export async function addFlatRate(
  tx: Tx,
  { perMinuteMicros, ...carrier }: { organisationId: string; carrierId: string; perMinuteMicros: number },
): Promise<void> {
  const rate = { prefix: "", description: "", effectiveFrom: "2000-01-01", firstSeconds: 60, nextSeconds: 60 };
  await putRates(tx, carrier, [{ ...rate, perMinuteMicros, connectionFeeMicros: 0 }], { fromCarrier: false });
}
