import type { Tx } from "../../db/transaction.ts";
import { findCallOutcome } from "./call-outcomes.table.ts";

export const isCallBackOutcome = async (tx: Tx, key: { organisationId: string; id: string }): Promise<boolean> =>
  (await findCallOutcome(tx, key))?.callBack ?? false;
