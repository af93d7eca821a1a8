import { asLeadline } from "../../../db/as-leadline.ts";
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
  const settings = await deps.database.withTransaction(scope, (tx) => readBalanceSettings(tx, topUp.organisationId));
  const isWanted = settings.automatic !== null && settings.pausedWhy === null && settings.saved?.id === savedMethod;
  if (isWanted || (await wasCharged(deps, topUp, savedMethod))) await startCheckout(deps, topUp);
  else
    await deps.database.withTransaction(scope, (tx) =>
      asLeadline(tx, "automatic-top-up.canceled", () => deleteRefusedTopUp(tx, topUp, { olderThanMs: unsureForMs })),
    );
}

async function wasCharged({ payments }: TopUpDeps, topUp: StoredTopUp, savedMethod: string): Promise<boolean> {
  const { id: reference, amountMicros, description } = topUp;
  const savedMethods = payments.find(topUp.provider)?.provider.savedMethods;
  if (!savedMethods) throw new Error("the provider of an automatic top-up is turned off");
  return (await savedMethods.find({ reference, amountMicros, description, savedMethod })) !== null;
}
