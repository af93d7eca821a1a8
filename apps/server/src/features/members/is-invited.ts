import type { Tx } from "../../db/transaction.ts";
import { hasOpenInvitation } from "./invitations.table.ts";

/** Whether an invitation to any organisation is open, by its mailed link or for that address. */
export const isInvited = (tx: Tx, by: { tokenHash: Buffer } | { email: string }): Promise<boolean> =>
  hasOpenInvitation(tx, by);
