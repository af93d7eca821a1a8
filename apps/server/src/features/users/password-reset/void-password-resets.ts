import type { Tx } from "../../../db/transaction.ts";
import { voidResets } from "./password-resets.table.ts";

/** For whatever changes how a person signs in: a link mailed before must not undo it. */
export const voidPasswordResets = (tx: Tx, userId: string): Promise<void> => voidResets(tx, userId);
