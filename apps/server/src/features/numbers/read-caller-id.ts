import type { Tx } from "../../db/transaction.ts";
import { findCallerIdOf } from "./caller-ids-of-numbers.table.ts";

/** E.164 of the number that those the organisation calls see; null where it has none that this carrier knows. */
export async function readCallerId(
  tx: Tx,
  which: { organisationId: string; carrier: string; connectionId: string | null },
): Promise<string | null> {
  return (await findCallerIdOf(tx, which)) ?? null;
}
