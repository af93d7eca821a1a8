import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";

/** What a feature does when an organisation is deleted, in the order listed in start-leadline.ts. */
export interface OrganisationHooks {
  /**
   * Called in the transaction that deletes it, in the system scope. A thrown problem keeps the organisation. The
   * returned function runs after the commit.
   */
  onDeleted?(tx: Tx, key: { userId: string; organisationId: string }): Promise<void | (() => Promise<void>)>;
  /** Called in the job that follows. If a hook fails, the job starts again with the first one. */
  onRemoved?(organisationId: string): Promise<void>;
}

const rowsASlice = 2_000;

/** Deletes large tables in slices, because a million leads take minutes. `removeSome` returns how many rows it deleted. */
export const removeInSlices =
  (database: Database, removeSome: (tx: Tx, organisationId: string, limit: number) => Promise<number>) =>
  async (organisationId: string): Promise<void> => {
    const removeSlice = (tx: Tx) => removeSome(tx, organisationId, rowsASlice);
    while ((await database.withTransaction({ organisationId }, removeSlice)) > 0);
  };
