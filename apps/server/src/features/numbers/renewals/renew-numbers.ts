import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import type { Log } from "../../../log.ts";
import { chargeForNumber } from "../../ledger/pay-for-number.ts";
import { lockNumbers, markReleasing } from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import type { MailRenewalsJob } from "./mail-renewals.ts";
import {
  lockDue,
  markPaid,
  markUnpaid,
  type NumberKey,
  selectDue,
  selectReceivers,
  takeUpcoming,
} from "./renewals.table.ts";

export interface RenewalDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  mail: MailRenewalsJob;
  log: Log;
}

/**
 * Notifies of renewals that come, charges those that are due, each month in turn after a downtime, and releases numbers whose grace is over. A killed
 * run is begun anew. `at`: instead of now, for tests.
 */
export async function renewNumbers(deps: RenewalDeps, { at = null }: { at?: string | null } = {}): Promise<void> {
  const scope = { system: "renew the numbers of every organisation" };
  await deps.database.withTransaction(scope, async (tx) => {
    const byOrganisation = Map.groupBy(await takeUpcoming(tx, at), ({ organisationId }) => organisationId);
    for (const [organisationId, numbers] of byOrganisation)
      await mailTo(deps, tx, { organisationId, what: "renews-soon", numberIds: numbers.map(({ id }) => id) });
  });
  for (const number of await deps.database.withTransaction(scope, (tx) => selectDue(tx, at)))
    try {
      while (await renewOnce(deps, number, at));
    } catch (error) {
      // Such as a call that took what was left of the balance at that moment.
      deps.log.warn({ err: error, numberId: number.id }, "a number's renewal is tried again later");
    }
}

/** True if a month was paid, so that the next one may be due too. */
function renewOnce(deps: RenewalDeps, key: NumberKey, at: string | null): Promise<boolean> {
  const { organisationId, id } = key;
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const due = await lockDue(tx, key, at);
    if (due === null) return false;
    if (!due.isPrepaid || due.isCovered) {
      await markPaid(tx, due);
      await publishNumbersChanged(tx, organisationId);
      if (due.isPrepaid) await chargeForNumber(tx, { ...due, numberId: id, micros: due.costMicros });
      return true;
    }
    if (!due.isUnpaid) {
      await markUnpaid(tx, key, at);
      await mailTo(deps, tx, { organisationId, what: "unpaid", numberIds: [id] });
      await publishNumbersChanged(tx, organisationId);
    } else if (due.isGraceOver) {
      // Gone from the list at once; resume-orders.ts gives it back to the carrier.
      await markReleasing(tx, key);
      await mailTo(deps, tx, { organisationId, what: "released", numberIds: [id] });
      await publishNumbersChanged(tx, organisationId);
    }
    return false;
  });
}

async function mailTo(
  { jobs, mail }: RenewalDeps,
  tx: Tx,
  told: { organisationId: string; what: "renews-soon" | "unpaid" | "released"; numberIds: string[] },
): Promise<void> {
  for (const receiver of await selectReceivers(tx, told.organisationId))
    await jobs.enqueue(tx, mail, { ...told, ...receiver });
}
