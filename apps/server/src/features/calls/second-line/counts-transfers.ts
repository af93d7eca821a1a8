import { costOfCall } from "@leadline/contract/cost-of-call";
import type { CallRate } from "@leadline/contract/rates";
import type { Tx } from "../../../db/transaction.ts";
import { readsRecordsOf } from "../../carrier-records/reads-records-of.ts";
import { readIsPrepaid } from "../../ledger/read-is-prepaid.ts";

interface TransferredLeg {
  organisationId: string;
  /** The organisation's own carrier; null for the installation's. */
  connection: { id: string } | null;
  rate: CallRate | null;
}

/**
 * Whether Leadline carries out a transfer itself, so that both legs are paid for, or counted. A metered organisation's
 * carrier may do it if the new leg costs nothing as far as is known, or if the carrier's records will say what it cost.
 */
export async function countsTransfers(tx: Tx, { organisationId, connection, rate }: TransferredLeg): Promise<boolean> {
  if (await readIsPrepaid(tx, organisationId)) return true;
  if (connection === null || rate === null || costOfCall(rate, 1) === 0) return false;
  return !(await readsRecordsOf(tx, { organisationId, carrierId: connection.id }));
}
