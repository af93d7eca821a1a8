import type { OtherCurrency } from "@leadline/contract/carrier-costs";
import type { Call } from "@leadline/contract/calls";
import { teammateCarrier } from "@leadline/contract/transfers";
import { formatExactCost, formatInCurrency } from "./format-money.ts";

export const rateUnknown = "Rate unknown";

type Costs = Pick<Call, "direction" | "carrier" | "answeredAt" | "rate" | "costMicros">;

/** What an ended call cost. It isn't known if the call was answered without a rate, until the carrier's record says it. */
export const costLabel = (call: Costs): string => (isUnpriced(call) ? rateUnknown : formatExactCost(call.costMicros));

/** Null for a call that cost nothing. */
export const costIfAny = (call: Costs): string | null =>
  call.costMicros > 0 || isUnpriced(call) ? costLabel(call) : null;

/** A total that leaves calls out must say so. Null if it has none to leave out. */
export function unpricedLabel(calls: number): string | null {
  if (calls === 0) return null;
  return calls === 1
    ? "Without 1 call whose rate isn’t known."
    : `Without ${calls.toLocaleString("en")} calls whose rates aren’t known.`;
}

/** The same for numbers, whose monthly fees it leaves out. */
export function unpricedNumbersLabel(numbers: readonly { monthlyCostMicros: number | null }[]): string | null {
  const count = numbers.filter(({ monthlyCostMicros }) => monthlyCostMicros === null).length;
  if (count === 0) return null;
  return count === 1
    ? "Without 1 phone number whose price isn’t known."
    : `Without ${count.toLocaleString("en")} phone numbers whose prices aren’t known.`;
}

/** The same for what carriers bill in other currencies. Amounts are in millionths. */
export function otherCurrenciesLabel(costs: readonly Pick<OtherCurrency, "currency" | "micros">[]): string | null {
  const billed = costs.filter(({ micros }) => micros > 0).map(formatInCurrency);
  return billed.length === 0 ? null : `Without costs in other currencies: ${billed.join(", ")}.`;
}

const isUnpriced = ({ direction, carrier, answeredAt, rate, costMicros }: Costs): boolean =>
  rate === null && costMicros === 0 && answeredAt !== null && direction === "outbound" && carrier !== teammateCarrier;
