import type { NumberSeller, PhoneNumber } from "@leadline/contract/phone-numbers";
import { useQuery } from "@tanstack/react-query";
import { formatMicros } from "../../components/format-money.ts";
import { billingSummaryQuery } from "../../data/billing-query.ts";

interface NumberSumsProps {
  numbers: readonly PhoneNumber[];
  sellers: readonly NumberSeller[];
}

/** The monthly cost of each carrier's numbers, and who bills them. */
export function NumberSums({ numbers, sellers }: NumberSumsProps) {
  const summary = useQuery(billingSummaryQuery).data;
  const accounts = [...new Set(numbers.map(({ accountId }) => accountId))];
  return (
    <div className="flex flex-col gap-1 text-table text-pretty text-ink-soft tabular-nums">
      {accounts.map((accountId) => (
        <Sum
          key={accountId}
          numbers={numbers.filter((each) => each.accountId === accountId)}
          isPrepaid={summary?.mode === "prepaid"}
          isSandbox={accountId === null || sellers.some((each) => each.accountId === accountId && each.isSandbox)}
        />
      ))}
    </div>
  );
}

interface SumProps {
  numbers: readonly PhoneNumber[];
  isPrepaid: boolean;
  isSandbox: boolean;
}

function Sum({ numbers, isPrepaid, isSandbox }: SumProps) {
  const [first] = numbers;
  if (!first) return null;
  const count = numbers.length === 1 ? "1 number" : `${numbers.length} numbers`;
  const monthly = formatMicros(numbers.reduce((sum, { monthlyCost }) => sum + (monthlyCost ?? 0), 0));
  const unpriced = numbers.filter(({ monthlyCost }) => monthlyCost === null).length;
  if (first.accountId === null)
    return (
      <p>
        {count}, {monthly} a month at sandbox prices, which aren’t real.{" "}
        {isPrepaid ? "Your balance is charged each month." : "Your balance isn’t charged."}
      </p>
    );
  if (isSandbox)
    return (
      <p>
        {count} at {first.provider}’s sandbox, {monthly} a month, which isn’t real. Nothing is billed.
      </p>
    );
  return (
    <p>
      {count} at {first.provider}, {monthly} a month
      {unpriced === 0 ? "" : `, and ${unpriced} whose price isn’t known here`}. {first.provider} bills you for{" "}
      {numbers.length === 1 ? "it" : "them"}, and your Leadline balance isn’t charged.
    </p>
  );
}
