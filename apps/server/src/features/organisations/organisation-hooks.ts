import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";

/** What a feature does where an organisation goes, in the order in which start-leadline.ts lists them. */
export interface OrganisationHooks {
  /** In the transaction that deletes it, in the system's scope. A problem keeps the organisation; what is answered runs once it is gone. */
  onDeleted?(tx: Tx, key: { userId: string; organisationId: string }): Promise<void | (() => Promise<void>)>;
  /** In the job that follows, which is tried again from the first hook where one fails. */
  onRemoved?(organisationId: string): Promise<void>;
}

const rowsASlice = 2_000;

/** Removes what grows with use slice by slice: a million leads take minutes. `removeSome` answers how many rows it removed. */
export const removeInSlices =
  (database: Database, removeSome: (tx: Tx, organisationId: string, limit: number) => Promise<number>) =>
  async (organisationId: string): Promise<void> => {
    const removeSlice = (tx: Tx) => removeSome(tx, organisationId, rowsASlice);
    while ((await database.withTransaction({ organisationId }, removeSlice)) > 0);
  };
