import type { Tx } from "../../db/transaction.ts";
import { moveFromOrganisation } from "./users.table.ts";

/** Of an organisation that is about to go: whoever acts in it goes on in another of theirs, or in none. In the system scope. */
export const actElsewhere = (tx: Tx, organisationId: string): Promise<void> => moveFromOrganisation(tx, organisationId);
