import { readCallCost } from "@leadline/contract/carrier-costs";
import { useQuery } from "@tanstack/react-query";
import { formatExactCost, formatInCurrency } from "../../../components/format-money.ts";
import { may } from "../../../components/may.ts";
import { useOwnRole } from "../../../components/use-own-role.ts";
import { callCostQuery } from "../../../data/carrier-costs-query.ts";

/** The cost in the carrier's record, for admins. Renders nothing until it is known. */
export function CarrierCostLine({ callSid }: { callSid: string }) {
  const isAllowed = may(useOwnRole(), readCallCost);
  const cost = useQuery({ ...callCostQuery(callSid), enabled: isAllowed }).data;
  if (!cost?.carrierCost) return null;
  const { carrierCost, countedMicros, chargedMicros } = cost;
  const charged =
    chargedMicros === countedMicros
      ? `Leadline charged ${formatExactCost(chargedMicros)}`
      : `Leadline counted ${formatExactCost(countedMicros)} and charged ${formatExactCost(chargedMicros)}`;
  return (
    <p className="basis-full text-table text-ink-soft tabular-nums">
      Carrier’s cost {formatInCurrency(carrierCost)}. {charged}.
    </p>
  );
}
