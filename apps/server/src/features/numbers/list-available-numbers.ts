import type { CarrierNumber, CarrierNumbers } from "@leadline/adapter-kit/carrier-numbers";
import { type AvailableNumber, countsAsSearch, farthestSkip } from "@leadline/contract/phone-numbers";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { toNumberProblem } from "./accounts/number-problem.ts";
import { isInstallationSandbox, networkOf, type NumberDeps, sellingCarrier } from "./number-deps.ts";
import { type Network, selectHolders } from "./holders.table.ts";

const aScreenful = 40;

type Search = Parameters<CarrierNumbers["search"]>[0];

/**
 * The carrier's (or an account's) numbers for sale that nobody on this server has there, and where the next page starts, if
 * there is one.
 */
export async function listAvailableNumbers(
  deps: NumberDeps,
  caller: Member,
  asked: { countryCode: string; query?: string | undefined; accountId?: string | undefined; skip: number },
): Promise<{ available: AvailableNumber[]; next: string | null }> {
  const query = asked.query !== undefined && countsAsSearch(asked.query) ? asked.query : null;
  const { countryCode, accountId, skip } = asked;
  const end = skip + aScreenful;
  const search = { countryCode, query, limit: end + 1 };
  const { found, network } =
    accountId === undefined
      ? await searchInstallation(deps, search)
      : await searchAccount(deps, { organisationId: caller.organisation.id, id: accountId }, search);
  const offered = found.slice(skip, end);
  const next = new URLSearchParams({
    countryCode,
    ...(query !== null && { query }),
    ...(accountId !== undefined && { accountId }),
    skip: String(end),
  });
  const scope = { system: "an owned number isn't offered to other organisations" };
  const holders = await deps.database.withTransaction(scope, (tx) =>
    selectHolders(
      tx,
      network,
      offered.map(({ number }) => number),
    ),
  );
  const held = new Set(holders.map(({ number }) => number));
  const available = offered
    .filter(({ number }) => !held.has(number))
    .map(({ number, location, region, capabilities, monthlyCostMicros, upfrontCostMicros, requirement }) => ({
      number,
      location,
      region,
      capabilities,
      monthlyCost: monthlyCostMicros,
      ...(upfrontCostMicros && { upfrontCost: upfrontCostMicros }),
      requirement,
    }));
  return { available, next: found.length > end && end <= farthestSkip ? next.toString() : null };
}

interface Searched {
  found: CarrierNumber[];
  network: Network;
}

async function searchInstallation(deps: NumberDeps, search: Search): Promise<Searched> {
  const { id: vendor, numbers } = sellingCarrier(deps.carriers);
  const found = await numbers.search(search).catch((error: unknown) => {
    deps.log.error({ err: error }, "the carrier's stock could not be searched");
    throw new Problem(
      "carrier-unreachable",
      "Your carrier isn’t responding, so its numbers can’t be shown. Try again in a moment.",
    );
  });
  return { found, network: networkOf({ vendor, isSandbox: isInstallationSandbox(vendor) }) };
}

function searchAccount(
  deps: NumberDeps,
  account: { organisationId: string; id: string },
  search: Search,
): Promise<Searched> {
  return deps.accounts
    .use(account, async (provisioner, used) => ({
      found: await provisioner.searchNumbers(search),
      network: networkOf(used),
    }))
    .catch((error: unknown) => {
      throw toNumberProblem(error);
    });
}
