import type { Tx } from "../../../db/transaction.ts";
import { voidResets } from "./password-resets.table.ts";

/** Call it on every change to how a person signs in: an earlier mailed link must not undo it. */
export const voidPasswordResets = (tx: Tx, userId: string): Promise<void> => voidResets(tx, userId);
