import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../../db/transaction.ts";
import { findIntegration, type StoredIntegration } from "../integrations.table.ts";

/**
 * Locks the integration and tells whether it still has the account and the mapping with which its records were read:
 * others mustn't be stored. Lock it first in a transaction, as everywhere, to prevent deadlocks.
 */
export async function isStillAsRead(
  tx: Tx,
  { organisationId, id, accountId, mapping }: StoredIntegration,
): Promise<boolean> {
  const current = await findIntegration(tx, { organisationId, integrationId: id }, { lock: true });
  return current !== null && isDeepStrictEqual([current.accountId, current.mapping], [accountId, mapping]);
}
