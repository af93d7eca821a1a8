import type { Tx } from "../../db/transaction.ts";
import { deleteSomeOfImports } from "./lead-imports.table.ts";

/** A part of an organisation's imports, for good; answers how much. One under way stops at its next step. */
export const removeSomeOfImports = (tx: Tx, organisationId: string, most: number): Promise<number> =>
  deleteSomeOfImports(tx, organisationId, most);
