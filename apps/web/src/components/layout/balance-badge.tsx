import { useQuery } from "@tanstack/react-query";
import { billingSummaryQuery } from "../../data/billing-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { formatMicros } from "../format-money.ts";

/** The balance if calls need one; otherwise the cost of this month so far. */
export function BalanceBadge() {
  const organisation = useQuery(meQuery).data?.activeOrganisation;
  const summary = useQuery({ ...billingSummaryQuery, enabled: Boolean(organisation) }).data;
  if (!organisation || !summary) return null;
  const [what, micros] =
    summary.mode === "prepaid"
      ? (["Balance", summary.balanceMicros] as const)
      : (["This month", summary.monthCostMicros] as const);
  return (
    <Tooltip
      text={what === "Balance" ? `Balance of ${organisation.name}` : `What ${organisation.name} has spent this month`}
    >
      <Badge className="h-7 px-2.5 text-table tabular-nums">
        <span className="sr-only">{what}: </span>
        {formatMicros(micros)}
      </Badge>
    </Tooltip>
  );
}
