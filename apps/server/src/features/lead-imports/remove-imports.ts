import type { Tx } from "../../db/transaction.ts";
import { deleteSomeOfImports } from "./lead-imports.table.ts";

/** Permanently deletes part of an organisation's imports and returns how much. One in progress stops at its next step. */
export const removeSomeOfImports = (tx: Tx, organisationId: string, most: number): Promise<number> =>
  deleteSomeOfImports(tx, organisationId, most);
