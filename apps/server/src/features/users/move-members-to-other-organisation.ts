import type { Tx } from "../../db/transaction.ts";
import { moveFromOrganisation } from "./users.table.ts";

/**
 * For an organisation about to be deleted: people active in it move to another of their organisations, or to none. In
 * the system scope.
 */
export const moveMembersToOtherOrganisation = (tx: Tx, organisationId: string): Promise<void> =>
  moveFromOrganisation(tx, organisationId);
