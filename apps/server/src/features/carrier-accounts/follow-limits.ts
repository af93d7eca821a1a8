import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../db/database.ts";
import { readLimitsToMirror } from "../limits/read-limits-to-mirror.ts";
import { changeAccount, lockAccount } from "./carrier-accounts.table.ts";
import { selectMirrored } from "./mirrored-limits.table.ts";

/** Accounts whose vendor was told limits that have changed since are to be connected again, which tells it the new ones. */
export async function followLimits(database: Database): Promise<void> {
  const scope = { system: "tell vendors the limits of every organisation" };
  const outdated = await database.withTransaction(scope, async (tx) => {
    const found: { organisationId: string; id: string }[] = [];
    for (const { organisationId, id, told } of await selectMirrored(tx))
      if (!isDeepStrictEqual(told, await readLimitsToMirror(tx, organisationId))) found.push({ organisationId, id });
    return found;
  });
  for (const key of outdated)
    await database.withTransaction({ organisationId: key.organisationId }, async (tx) => {
      if ((await lockAccount(tx, key))?.state === "connected")
        await changeAccount(tx, key, { state: "connecting", steps: [], failure: null });
    });
}
