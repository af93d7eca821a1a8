import { type listRates as listEndpoint, mostRates, type Rate, type RateInput } from "@leadline/contract/rates";
import type { Answer } from "@leadline/contract/endpoint";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { noCarrierForRates, type RateDeps } from "./rate-deps.ts";
import { countRates, deleteRate, findMargin, lockRates, putRates, selectRates, writeMargin } from "./rates.table.ts";

const ratesAPage = 100;

type Page = Answer<typeof listEndpoint>;

export async function listRates(
  deps: RateDeps,
  caller: Member,
  { carrierId, search, after }: { carrierId: string; search?: string | undefined; after?: string | undefined },
): Promise<Page> {
  const organisationId = caller.organisation.id;
  const of = { organisationId, carrierId };
  const page = { search: search || null, after: after ?? null, limit: ratesAPage + 1 };
  const read = await deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    const marginPercent = await findMargin(tx, of);
    if (marginPercent === null) throw noCarrierForRates();
    const rates = await selectRates(tx, of, page);
    return {
      marginPercent,
      rates: rates.slice(0, ratesAPage),
      hasMore: rates.length > ratesAPage,
      total: await countRates(tx, of),
    };
  });
  return { ...read, readsFromCarrier: await deps.api.hasApi(of) };
}

export async function saveRate(deps: RateDeps, caller: Member, carrierId: string, rate: RateInput): Promise<Rate> {
  const organisationId = caller.organisation.id;
  const [saved] = await deps.database.withTransaction({ userId: caller.userId, organisationId }, (tx) =>
    saveRates(tx, { organisationId, carrierId }, [rate]),
  );
  if (!saved) throw noCarrierForRates();
  return saved;
}

/** Saves all of them or none. */
export async function saveRates(
  tx: Tx,
  of: { organisationId: string; carrierId: string },
  rates: readonly RateInput[],
): Promise<Rate[]> {
  if (!(await lockRates(tx, of))) throw noCarrierForRates();
  const saved = await putRates(tx, of, rates, { fromCarrier: false });
  if ((await countRates(tx, of)) <= mostRates) return saved;
  const most = mostRates.toLocaleString("en");
  throw new Problem("quota-reached", `A carrier can have ${most} rates. Remove some you no longer need.`);
}

export async function removeRate(deps: RateDeps, caller: Member, id: string): Promise<void> {
  const organisationId = caller.organisation.id;
  const removed = await deps.database.withTransaction({ userId: caller.userId, organisationId }, (tx) =>
    deleteRate(tx, { organisationId, id }),
  );
  if (!removed) throw new Problem("not-found", "Rate not found. It may have been removed.");
}

/** Calls that have begun keep their rate. */
export async function changeMargin(
  deps: RateDeps,
  caller: Member,
  { carrierId, marginPercent }: { carrierId: string; marginPercent: number },
): Promise<{ marginPercent: number }> {
  const organisationId = caller.organisation.id;
  const changed = await deps.database.withTransaction({ userId: caller.userId, organisationId }, (tx) =>
    writeMargin(tx, { organisationId, carrierId }, marginPercent),
  );
  if (!changed) throw noCarrierForRates();
  return { marginPercent };
}
