import type { Tx } from "../../../db/transaction.ts";
import { endRuns } from "../integrations.table.ts";

/** For deleting an organisation: no page that is still being read is stored afterwards. */
export const endEverySync = (tx: Tx, organisationId: string): Promise<void> =>
  endRuns(tx, { organisationId }, "Its organisation was deleted.");
