import type { Tx } from "../../db/transaction.ts";
import { isMarkedDeleted } from "./organisations.table.ts";

/** Whether it is being deleted. Nothing may be started for it any more. */
export const isDeleted = (tx: Tx, organisationId: string): Promise<boolean> => isMarkedDeleted(tx, organisationId);
