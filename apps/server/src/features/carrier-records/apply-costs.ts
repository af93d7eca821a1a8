import { withMarginMicros } from "@leadline/contract/cost-of-call";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { chargeUnseenTime, correctCallCosts } from "../ledger/correct-call-costs.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { addToCosts, lockNewCosts, type NewCost, writeCosts } from "./call-costs.table.ts";

/** Small, so that the ledger's accounts are only locked briefly. */
const callsAtOnce = 100;

/**
 * Stores the cost of calls from the carrier's records, corrects the charges of metered calls, and charges prepaid ones
 * for time that no process saw. Each change is applied once.
 */
export async function applyCosts(
  database: Database,
  { organisationId, carrierId }: { organisationId: string; carrierId: string },
): Promise<void> {
  for (;;) {
    const applied = await database.withTransaction({ organisationId }, async (tx) => {
      const found = await lockNewCosts(tx, { organisationId, carrierId, limit: callsAtOnce });
      await storeCosts(tx, organisationId, found);
      return found.length;
    });
    if (applied < callsAtOnce) return;
  }
}

async function storeCosts(tx: Tx, organisationId: string, found: readonly NewCost[]): Promise<void> {
  const priced = found.map((cost) => ({ ...cost, ...priceOf(cost) }));
  await writeCosts(
    tx,
    organisationId,
    priced.map(({ correctedBy, ...cost }) => ({
      ...cost,
      countedMicros: cost.chargedMicros,
      corrections: cost.corrections + (correctedBy === 0 ? 0 : 1),
    })),
  );
  const corrected = priced
    .filter(({ correctedBy }) => correctedBy !== 0)
    .map(({ callSid, corrections, correctedBy, isPrepaid }) => ({
      callSid,
      number: corrections + 1,
      micros: correctedBy,
      isPrepaid,
    }));
  if (corrected.length === 0) return;
  await addToCosts(tx, organisationId, corrected);
  await publishLiveEvent(tx, { organisationId, type: "billing.changed", data: {} });
  // Last, because they lock the ledger accounts.
  await chargeUnseenTime(
    tx,
    organisationId,
    corrected.filter(({ isPrepaid }) => isPrepaid),
  );
  await correctCallCosts(
    tx,
    organisationId,
    corrected.filter(({ isPrepaid }) => !isPrepaid),
  );
}

/**
 * A prepaid call keeps its promised price per minute, and is only charged for time after its server was killed. An amount
 * in another currency can't be corrected.
 */
function priceOf({ cost, currency, marginPercent, chargedMicros, isPrepaid, unseenMicros }: NewCost) {
  const priceMicros = currency === "USD" ? withMarginMicros(cost, marginPercent) : null;
  if (isPrepaid) return { priceMicros, correctedBy: Math.max(0, (unseenMicros ?? 0) - chargedMicros) };
  return { priceMicros, correctedBy: priceMicros === null ? 0 : priceMicros - chargedMicros };
}
