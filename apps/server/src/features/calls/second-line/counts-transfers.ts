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
 * Whether Leadline carries out a transfer itself, so that both legs are paid for, count against the limits and end with
 * them. A metered organisation's carrier may do it if the new leg is free, or if nobody will ever know what it cost.
 */
export async function countsTransfers(tx: Tx, { organisationId, connection, rate }: TransferredLeg): Promise<boolean> {
  if (await readIsPrepaid(tx, organisationId)) return true;
  if (connection === null) return false;
  if (rate !== null) return costOfCall(rate, 1) > 0;
  return readsRecordsOf(tx, { organisationId, carrierId: connection.id });
}
