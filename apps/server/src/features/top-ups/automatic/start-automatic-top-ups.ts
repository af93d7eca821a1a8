import { randomUUID } from "node:crypto";
import { asLeadline } from "../../../db/as-leadline.ts";
import { settleTopUp } from "../settle-top-up.ts";
import { startCheckout } from "../start-top-up.ts";
import type { TopUpDeps } from "../top-up-deps.ts";
import { findTopUp, insertTopUp, lockTopUps, type StoredTopUp } from "../top-ups.table.ts";
import { selectDueTopUps } from "./balance-settings.table.ts";

/** Charges the saved payment methods of organisations with a low balance. resume-top-ups.ts finishes what a crash leaves. */
export async function startAutomaticTopUps(deps: TopUpDeps): Promise<void> {
  const { inUse } = deps.payments;
  if (inUse?.provider.savedMethods === undefined) return;
  const provider = inUse.module.id;
  const scope = { system: "find balances to top up automatically" };
  const due = await deps.database.withTransaction(scope, (tx) =>
    selectDueTopUps(tx, { provider, organisationId: null }),
  );
  for (const { organisationId } of due)
    try {
      const topUp = await writeIntent(deps, { provider, organisationId });
      if (topUp === undefined) continue;
      await startCheckout(deps, topUp);
      await settleTopUp(deps, topUp);
    } catch (error) {
      deps.log.warn({ err: error, organisationId }, "an automatic top-up could not be completed yet");
    }
}

/** Inserts a row for a new top-up. Undefined if another process was faster, or it isn’t due any more. */
async function writeIntent(
  { database }: TopUpDeps,
  which: { provider: string; organisationId: string },
): Promise<StoredTopUp | undefined> {
  const { provider, organisationId } = which;
  return database.withTransaction({ organisationId }, async (tx) => {
    await lockTopUps(tx, organisationId);
    const [due] = await selectDueTopUps(tx, which);
    if (due === undefined || due.ownerId === null) return undefined;
    const { amountMicros, savedMethod, ownerId: askedBy, organisationName } = due;
    const id = randomUUID();
    const isNew = await asLeadline(tx, "automatic-top-up.started", () =>
      insertTopUp(tx, {
        id,
        organisationId,
        provider,
        amountMicros,
        description: `Leadline balance, ${organisationName}`,
        // Unused, because nobody pays on a page.
        returnUrl: `/settings/billing/top-ups/${id}`,
        askedBy,
        idempotencyKey: id,
        requestHash: "",
        savesMethod: false,
        savedMethod,
      }),
    );
    return isNew ? findTopUp(tx, { organisationId, id }) : undefined;
  });
}
