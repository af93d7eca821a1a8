import { PaymentError } from "@leadline/adapter-kit/payment";
import type { TopUp, TopUps } from "@leadline/contract/top-ups";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { settleTopUp } from "./settle-top-up.ts";
import { type TopUpDeps, toTopUp } from "./top-up-deps.ts";
import { claimCheck, findTopUp, selectTopUps } from "./top-ups.table.ts";

const topUpsAPage = 20;
/** The provider is asked at most this often, however often a page asks. */
const betweenChecksMs = 2_000;

export async function listTopUps(
  deps: TopUpDeps,
  { organisation, userId }: Member,
  { before }: { before?: string | undefined },
): Promise<TopUps> {
  const page = { before: before ?? null, limit: topUpsAPage + 1 };
  const found = await deps.database.readInTransaction({ userId, organisationId: organisation.id }, (tx) =>
    selectTopUps(tx, organisation.id, page),
  );
  const { inUse } = deps.payments;
  return {
    provider: inUse
      ? {
          name: inUse.module.name,
          isSandbox: !inUse.provider.movesMoney,
          canSaveMethod: inUse.provider.savedMethods !== undefined,
        }
      : null,
    topUps: found.slice(0, topUpsAPage).map((topUp) => toTopUp(deps, topUp)),
    hasMore: found.length > topUpsAPage,
  };
}

/** For the page to which the browser returns, possibly before the provider has reported anything. */
export async function getTopUp(deps: TopUpDeps, { organisation, userId }: Member, id: string): Promise<TopUp> {
  const key = { organisationId: organisation.id, id };
  const scope = { userId, organisationId: organisation.id };
  const isDue = await deps.database.withTransaction(scope, async (tx) => {
    const topUp = await findTopUp(tx, key);
    if (!topUp) throw new Problem("not-found", "Top-up not found.");
    return topUp.state === "open" && claimCheck(tx, key, { afterMs: betweenChecksMs });
  });
  if (isDue)
    await settleTopUp(deps, key).catch((error: unknown) => {
      if (!(error instanceof PaymentError)) throw error;
      deps.log.warn({ err: error, topUpId: id }, "a payment provider could not report a top-up's state");
    });
  const topUp = await deps.database.readInTransaction(scope, (tx) => findTopUp(tx, key));
  if (!topUp) throw new Problem("not-found", "Top-up not found.");
  return toTopUp(deps, topUp);
}
