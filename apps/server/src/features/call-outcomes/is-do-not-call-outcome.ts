import type { Tx } from "../../db/transaction.ts";
import { findCallOutcome } from "./call-outcomes.table.ts";

export const isDoNotCallOutcome = async (tx: Tx, key: { organisationId: string; id: string }): Promise<boolean> =>
  (await findCallOutcome(tx, key))?.doNotCall ?? false;
