import type { Tx } from "../../db/transaction.ts";
import { hasOpenInvitation } from "./invitations.table.ts";

/** Whether any organisation has an open invitation for that address, with this link if one is given. */
export const isInvited = (tx: Tx, by: { email: string; tokenHash?: Buffer }): Promise<boolean> =>
  hasOpenInvitation(tx, by);
