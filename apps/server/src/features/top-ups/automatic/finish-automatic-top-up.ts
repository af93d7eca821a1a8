import { asLeadline } from "../../../db/as-leadline.ts";
import type { Tx } from "../../../db/transaction.ts";
import { readIsPrepaid } from "../../ledger/read-is-prepaid.ts";
import { startCheckout } from "../start-top-up.ts";
import type { TopUpDeps } from "../top-up-deps.ts";
import { deleteRefusedTopUp, type StoredTopUp } from "../top-ups.table.ts";
import { readBalanceSettings } from "./balance-settings.table.ts";

/** No request to charge is still under way this long after the top-up began: each is given up within a minute. */
const unsureForMs = 3_600_000;

/**
 * Finishes a charge whose response was lost, by a killed process or a silent provider: charges it if it is still
 * wanted. Otherwise keeps it only if it was charged, which isn’t known until no request can be under way any more.
 */
export async function finishAutomaticTopUp(deps: TopUpDeps, topUp: StoredTopUp, savedMethod: string): Promise<void> {
  const scope = { organisationId: topUp.organisationId };
  const isWanted = await deps.database.withTransaction(scope, (tx) => wouldStartNow(tx, topUp, savedMethod));
  if (isWanted || (await wasCharged(deps, topUp, savedMethod))) await startCheckout(deps, topUp);
  else
    await deps.database.withTransaction(scope, (tx) =>
      asLeadline(tx, "automatic-top-up.canceled", () => deleteRefusedTopUp(tx, topUp, { olderThanMs: unsureForMs })),
    );
}

/** By the current settings, which may be lower than those it was started by. The month's sum includes it. */
async function wouldStartNow(tx: Tx, { organisationId, amountMicros }: StoredTopUp, savedMethod: string) {
  const { automatic, pausedWhy, saved, addedThisMonthMicros } = await readBalanceSettings(tx, organisationId);
  return (
    automatic !== null &&
    pausedWhy === null &&
    saved?.id === savedMethod &&
    amountMicros <= automatic.amountMicros &&
    addedThisMonthMicros <= automatic.monthLimitMicros &&
    (await readIsPrepaid(tx, organisationId))
  );
}

async function wasCharged({ payments }: TopUpDeps, topUp: StoredTopUp, savedMethod: string): Promise<boolean> {
  const { id: reference, amountMicros, description } = topUp;
  const savedMethods = payments.find(topUp.provider)?.provider.savedMethods;
  if (!savedMethods) throw new Error("the provider of an automatic top-up is turned off");
  return (await savedMethods.find({ reference, amountMicros, description, savedMethod })) !== null;
}
