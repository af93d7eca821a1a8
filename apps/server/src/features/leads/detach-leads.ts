import type { Tx } from "../../db/transaction.ts";
import { clearOrigin } from "./detach-leads.table.ts";

/** The CRM they came from is gone: they stay, as if they had been typed here. */
export const detachLeads = (tx: Tx, key: { organisationId: string; integrationId: string }): Promise<void> =>
  clearOrigin(tx, key);
