import { type AvailableNumber, countsAsSearch, farthestSkip } from "@leadline/contract/phone-numbers";
import { Problem } from "../../http/problem.ts";
import { type NumberDeps, sellingCarrier } from "./number-deps.ts";
import { selectHolders } from "./phone-numbers.table.ts";

const aScreenful = 40;

/** What the carrier has for sale and nobody on this server holds, and where the next of it begin, if there are more. */
export async function listAvailableNumbers(
  deps: NumberDeps,
  asked: { countryCode: string; query?: string | undefined; skip: number },
): Promise<{ available: AvailableNumber[]; next: string | null }> {
  const { numbers } = sellingCarrier(deps.carriers);
  const query = asked.query !== undefined && countsAsSearch(asked.query) ? asked.query : null;
  const { countryCode, skip } = asked;
  const end = skip + aScreenful;
  const found = await numbers.search({ countryCode, query, limit: end + 1 }).catch((error: unknown) => {
    deps.log.error({ err: error }, "the carrier's stock could not be searched");
    throw new Problem(
      "carrier-unreachable",
      "Your carrier isn’t responding, so its numbers can’t be shown. Try again in a moment.",
    );
  });
  const offered = found.slice(skip, end);
  const next = new URLSearchParams({ countryCode, ...(query !== null && { query }), skip: String(end) });
  const scope = { system: "a number that one organisation holds is offered to no other" };
  const holders = await deps.database.withTransaction(scope, (tx) =>
    selectHolders(
      tx,
      offered.map(({ number }) => number),
    ),
  );
  const held = new Set(holders.map(({ number }) => number));
  const available = offered
    .filter(({ number }) => !held.has(number))
    .map(({ number, location, region, capabilities, monthlyCostMicros, requirement }) => ({
      number,
      location,
      region,
      capabilities,
      monthlyCost: monthlyCostMicros,
      requirement,
    }));
  return { available, next: found.length > end && end <= farthestSkip ? next.toString() : null };
}
