import type { Tx } from "../../db/transaction.ts";
import { hasOpenInvitation } from "./invitations.table.ts";

/** Whether an invitation of that address to any organisation is open, and this is its link where one is given. */
export const isInvited = (tx: Tx, by: { email: string; tokenHash?: Buffer }): Promise<boolean> =>
  hasOpenInvitation(tx, by);
