import { finishAutomaticTopUp } from "./automatic/finish-automatic-top-up.ts";
import { startCheckout } from "./start-top-up.ts";
import { settleTopUp } from "./settle-top-up.ts";
import type { TopUpDeps } from "./top-up-deps.ts";
import { claimDue, findTopUp } from "./top-ups.table.ts";

/** Finishes what a killed process started, and looks up payments that nobody has reported. */
export async function resumeTopUps(deps: TopUpDeps, { soonMs }: { soonMs: number }): Promise<void> {
  const scope = { system: "ask payment providers about open top-ups" };
  const due = await deps.database.withTransaction(scope, (tx) =>
    claimDue(tx, { providers: deps.payments.ids, soonMs }),
  );
  for (const key of due)
    try {
      const { organisationId } = key;
      const topUp = await deps.database.withTransaction({ organisationId }, (tx) => findTopUp(tx, key));
      if (topUp?.state === "starting" && topUp.savedMethod === null) await startCheckout(deps, topUp);
      else {
        if (topUp?.state === "starting" && topUp.savedMethod !== null)
          await finishAutomaticTopUp(deps, topUp, topUp.savedMethod);
        await settleTopUp(deps, key);
      }
    } catch (error) {
      deps.log.warn({ err: error, topUpId: key.id }, "a top-up could not be checked");
    }
}
