import { withMarginMicros } from "@leadline/contract/cost-of-call";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { correctCallCosts } from "../ledger/correct-call-costs.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { lockNewCosts, type NewCost, writeCharges, writeCosts } from "./call-costs.table.ts";

/** Small, so that the ledger's accounts are only locked briefly. */
const callsAtOnce = 100;

/**
 * Stores the cost of calls from the carrier's records, and corrects the charges of metered calls. Each change is
 * applied once.
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
  const corrected = priced.filter(({ correctedBy }) => correctedBy !== 0);
  if (corrected.length === 0) return;
  await writeCharges(
    tx,
    organisationId,
    corrected.map(({ callSid }) => callSid),
  );
  await publishLiveEvent(tx, { organisationId, type: "billing.changed", data: {} });
  // Last, because it locks the ledger accounts.
  await correctCallCosts(
    tx,
    organisationId,
    corrected.map(({ callSid, corrections, correctedBy }) => ({
      callSid,
      number: corrections + 1,
      micros: correctedBy,
    })),
  );
}

/** A prepaid call keeps its promised price. An amount in another currency can't be corrected. */
function priceOf({ cost, currency, marginPercent, chargedMicros, isPrepaid }: NewCost) {
  const priceMicros = currency === "USD" ? withMarginMicros(cost, marginPercent) : null;
  return { priceMicros, correctedBy: isPrepaid || priceMicros === null ? 0 : priceMicros - chargedMicros };
}
