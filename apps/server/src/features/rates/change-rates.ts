import { type listRates as listEndpoint, maxRates, type Rate, type RateInput } from "@leadline/contract/rates";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { inDollars } from "../../in-dollars.ts";
import { readIsPrepaid } from "../ledger/read-is-prepaid.ts";
import { limitsRefuseUnpriced } from "../limits/limits-refuse-unpriced.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";
import { addsFirstRates, lowersRates, removalLowersRates } from "./lowered-rates.table.ts";
import { noCarrierForRates, type RateDeps } from "./rate-deps.ts";
import { forgetReadings } from "./rate-readings.table.ts";
import { countRates, deleteRate, findMargin, lockRates, putRates, selectRates, writeMargin } from "./rates.table.ts";

const ratesAPage = 100;

type Page = ResponseOf<typeof listEndpoint>;

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

const cheaperTakesPassword = (): Problem =>
  passwordRequired("make calls cheaper, which loosens your limits on spending");
export const firstTakesPassword = (): Problem =>
  passwordRequired("add a rate for numbers without one, which allows calls to them that are refused now");

/** Where calls without a rate are refused, the first rate of a number allows them, at whatever price it says. */
export const refusesUnpriced = async (tx: Tx, organisationId: string): Promise<boolean> =>
  (await limitsRefuseUnpriced(tx, organisationId)) || (await readIsPrepaid(tx, organisationId));

export const alertOfFirst = (
  { alertOwners }: Pick<RateDeps, "alertOwners">,
  tx: Tx,
  caller: Member,
  label: string,
): Promise<void> =>
  alertOwners(tx, caller, {
    sentences: [
      `The carrier “${label}” has a rate for numbers that had none.`,
      "Calls without a rate are refused, so calls to these numbers are possible from now on.",
    ],
    page: "/settings/carriers",
  });

const alertOfCheaper = (
  { alertOwners }: Pick<RateDeps, "alertOwners">,
  tx: Tx,
  caller: Member,
  sentence: string,
): Promise<void> =>
  alertOwners(tx, caller, {
    sentences: [sentence, "Limits on spending count what calls cost, so they now allow more calls."],
    page: "/settings/carriers",
  });

function savedWords(label: string, rates: readonly RateInput[]): string {
  const [rate] = rates;
  if (rates.length !== 1 || rate === undefined)
    return `Rates of the carrier “${label}” were imported. At least one makes calls cheaper.`;
  const numbers = rate.prefix === "" ? "all other numbers" : `numbers that start with +${rate.prefix}`;
  return `The rate of the carrier “${label}” for ${numbers} makes calls cheaper: ${inDollars(rate.perMinuteMicros)} a minute from ${rate.effectiveFrom}.`;
}

interface Confirmable {
  currentPassword?: string | undefined;
}

/** `change` throws if it loosens limits, which count what calls cost, and the password isn’t confirmed. */
const confirmedIfLooser = <T>(
  { database }: Pick<RateDeps, "database">,
  caller: Member,
  { currentPassword }: Confirmable,
  change: (tx: Tx, confirmed: boolean) => Promise<T>,
): Promise<T> =>
  confirmedIfRequired(database, caller, currentPassword, (confirmed) =>
    database.withTransaction(scopeOf(caller), (tx) => change(tx, confirmed)),
  );

export async function saveRate(
  deps: RateDeps,
  caller: Member,
  carrierId: string,
  { currentPassword, ...rate }: RateInput & Confirmable,
): Promise<Rate> {
  const [saved] = await saveRates(deps, caller, { carrierId, currentPassword, rates: [rate] });
  if (!saved) throw noCarrierForRates();
  return saved;
}

/** Saves all of them or none. */
export function saveRates(
  deps: Pick<RateDeps, "database" | "alertOwners">,
  caller: Member,
  { carrierId, rates, ...confirmable }: { carrierId: string; rates: readonly RateInput[] } & Confirmable,
): Promise<Rate[]> {
  const of = { organisationId: caller.organisation.id, carrierId };
  return confirmedIfLooser(deps, caller, confirmable, async (tx, confirmed) => {
    const label = await lockRates(tx, of);
    if (label === null) throw noCarrierForRates();
    const lowers = await lowersRates(tx, of, rates);
    if (!confirmed && lowers) throw cheaperTakesPassword();
    const allows = (await refusesUnpriced(tx, of.organisationId)) && (await addsFirstRates(tx, of, rates));
    if (!confirmed && allows) throw firstTakesPassword();
    const saved = await putRates(tx, of, rates, { fromCarrier: false });
    if (lowers) await alertOfCheaper(deps, tx, caller, savedWords(label, rates));
    else if (allows) await alertOfFirst(deps, tx, caller, label);
    if ((await countRates(tx, of)) <= maxRates) return saved;
    const most = maxRates.toLocaleString("en");
    throw new Problem("quota-reached", `A carrier can have ${most} rates. Remove some you no longer need.`);
  });
}

export async function removeRate(
  deps: RateDeps,
  caller: Member,
  { id, ...confirmable }: { id: string } & Confirmable,
): Promise<void> {
  const key = { organisationId: caller.organisation.id, id };
  await confirmedIfLooser(deps, caller, confirmable, async (tx, confirmed) => {
    const lowers = await removalLowersRates(tx, key);
    if (lowers && !confirmed) throw cheaperTakesPassword();
    await forgetReadings(tx, { organisationId: key.organisationId, rateId: id });
    const label = await deleteRate(tx, key);
    if (label === null) throw new Problem("not-found", "Rate not found. It may have been removed.");
    const sentence = `A rate of the carrier “${label}” was removed, so that a cheaper one applies, or none.`;
    if (lowers) await alertOfCheaper(deps, tx, caller, sentence);
  });
}

/** Calls that have begun keep their rate. */
export async function changeMargin(
  deps: RateDeps,
  caller: Member,
  { carrierId, marginPercent, ...confirmable }: { carrierId: string; marginPercent: number } & Confirmable,
): Promise<{ marginPercent: number }> {
  const of = { organisationId: caller.organisation.id, carrierId };
  return confirmedIfLooser(deps, caller, confirmable, async (tx, confirmed) => {
    const before = await findMargin(tx, of);
    if (before === null) throw noCarrierForRates();
    if (marginPercent < before && !confirmed) throw cheaperTakesPassword();
    const label = await writeMargin(tx, of, marginPercent);
    const sentence = `The margin of the carrier “${label}” was ${before}% and is now ${marginPercent}%.`;
    if (marginPercent < before) await alertOfCheaper(deps, tx, caller, sentence);
    return { marginPercent };
  });
}
