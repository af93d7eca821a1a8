import type { Tx } from "../../db/transaction.ts";
import { hasLimitsOfPrice } from "./limits.table.ts";

/** Whether the organisation or a member has set a limit that refuses calls whose price isn’t known (refuse-over-limits.ts). */
export const limitsRefuseUnpriced = (tx: Tx, organisationId: string): Promise<boolean> =>
  hasLimitsOfPrice(tx, organisationId);
