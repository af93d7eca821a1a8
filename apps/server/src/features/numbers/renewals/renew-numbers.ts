import { asLeadline } from "../../../db/as-leadline.ts";
import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import type { Log } from "../../../log.ts";
import { chargeForNumber, countForNumber } from "../../ledger/pay-for-number.ts";
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
 * Announces upcoming renewals, charges or counts due ones (each month in turn after a downtime), and releases numbers whose
 * grace period is over. A killed run starts over. `at` replaces the current time in tests.
 */
export async function renewNumbers(deps: RenewalDeps, { at = null }: { at?: string | null } = {}): Promise<void> {
  const scope = { system: "renew the numbers of every organisation" };
  await deps.database.withTransaction(scope, async (tx) => {
    const byOrganisation = Map.groupBy(await takeUpcoming(tx, at), ({ organisationId }) => organisationId);
    for (const [organisationId, numbers] of byOrganisation)
      await mailTo(deps, tx, { organisationId, what: "renews-soon", numberIds: numbers.map(({ id }) => id) });
  });
  const unpaid: NumberKey[] = [];
  for (const number of await deps.database.withTransaction(scope, (tx) => selectDue(tx, at)))
    try {
      if ((await payDueMonths(deps, number, at)) === "uncovered") unpaid.push(number);
    } catch (error) {
      // For example, a call has used up the balance at that moment.
      deps.log.warn({ err: error, numberId: number.id }, "a number's renewal failed; retrying later");
    }
  for (const [organisationId, numbers] of Map.groupBy(unpaid, (number) => number.organisationId))
    try {
      await noteUnpaid(deps, { organisationId, numbers, at });
    } catch (error) {
      deps.log.warn({ err: error, organisationId }, "unpaid numbers are noted later");
    }
}

/** Charges each due month, until the balance doesn't cover one. */
async function payDueMonths(deps: RenewalDeps, key: NumberKey, at: string | null): Promise<"uncovered" | "not-due"> {
  for (;;) {
    const outcome = await payNextMonth(deps, key, at);
    if (outcome !== "paid") return outcome;
  }
}

function payNextMonth(deps: RenewalDeps, key: NumberKey, at: string | null): Promise<"paid" | "uncovered" | "not-due"> {
  const { organisationId, id } = key;
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const due = await lockDue(tx, key, at);
    if (due === null) return "not-due";
    if (due.isPrepaid && !due.isCovered) return "uncovered";
    await asLeadline(tx, "phone-number.renewed", () => markPaid(tx, due));
    await publishNumbersChanged(tx, organisationId);
    const month = { ...due, numberId: id, micros: due.costMicros };
    if (due.isOfAccount) await countForNumber(tx, month);
    else if (due.isPrepaid) await chargeForNumber(tx, month);
    return "paid";
  });
}

/**
 * Starts the grace period of an organisation's unpaid numbers and releases those whose grace period is over, with one
 * mail for each group.
 */
function noteUnpaid(
  deps: RenewalDeps,
  { organisationId, numbers, at }: { organisationId: string; numbers: readonly NumberKey[]; at: string | null },
): Promise<void> {
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    await lockNumbers(tx, organisationId);
    const ids: Record<"unpaid" | "released", string[]> = { unpaid: [], released: [] };
    for (const number of numbers) {
      const due = await lockDue(tx, number, at);
      if (due === null || !due.isPrepaid || due.isCovered) continue;
      if (!due.isUnpaid) {
        await asLeadline(tx, "phone-number.unpaid", () => markUnpaid(tx, number, at));
        ids.unpaid.push(number.id);
      } else if (due.isGraceOver) {
        // Off the list at once. resume-orders.ts releases it at the carrier.
        await asLeadline(tx, "phone-number.released", () => markReleasing(tx, number));
        ids.released.push(number.id);
      }
    }
    for (const what of ["unpaid", "released"] as const)
      if (ids[what].length > 0) await mailTo(deps, tx, { organisationId, what, numberIds: ids[what] });
    if (ids.unpaid.length + ids.released.length > 0) await publishNumbersChanged(tx, organisationId);
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
