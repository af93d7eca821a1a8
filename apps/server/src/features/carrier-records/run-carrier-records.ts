import type { ExclusiveLocks } from "../../db/exclusive-locks.ts";
import { createExclusiveRunner } from "../../db/create-exclusive-runner.ts";
import { forEachAtOnce } from "../../for-each-at-once.ts";
import type { Route } from "../../http/route.ts";
import { runEvery } from "../../run-every.ts";
import { carrierCostRoutes } from "./carrier-costs.routes.ts";
import { readRecords, type RecordDeps } from "./read-records.ts";

const everyMs = 10 * 60_000;
/** Each stores its records by itself. */
const accountsAtOnce = 4;

/** Reads the records of every connected account at once and every ten minutes; once a day further back. */
export function runCarrierRecords({
  exclusiveLocks,
  ...given
}: Omit<RecordDeps, "runExclusively"> & { exclusiveLocks: Pick<ExclusiveLocks, "tryHold" | "release"> }): {
  routes: readonly Route[];
  close(): Promise<void>;
} {
  const deps: RecordDeps = { ...given, runExclusively: createExclusiveRunner(exclusiveLocks) };
  let closed = false;

  async function readEvery(): Promise<void> {
    const scope = { system: "read the records of every organisation's carrier accounts" };
    const accounts = await deps.database.withTransaction(scope, deps.accounts.listEvery);
    await forEachAtOnce(accounts, { most: accountsAtOnce }, async (account) => {
      if (closed) return;
      await readRecords(deps, account).catch((error: unknown) =>
        deps.log.warn({ err: error, accountId: account.id }, "an account's records could not be read"),
      );
    });
  }

  const onError = (error: unknown) => deps.log.error({ err: error }, "carriers' records could not be read");
  const stop = runEvery(readEvery, { everyMs, atOnce: true, onError });
  return {
    routes: carrierCostRoutes(deps),
    async close() {
      closed = true;
      await stop();
    },
  };
}
