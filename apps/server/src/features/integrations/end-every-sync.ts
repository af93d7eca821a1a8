import type { Tx } from "../../db/transaction.ts";
import { endRuns } from "./integrations.table.ts";

/** Of an organisation that goes: no page that is being read is kept. */
export const endEverySync = (tx: Tx, organisationId: string): Promise<void> =>
  endRuns(tx, organisationId, "Its organisation was deleted.");
