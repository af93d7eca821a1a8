import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../data/me-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { formatMicros } from "../format-money.ts";

export function BalanceBadge() {
  const organisation = useQuery(meQuery).data?.activeOrganisation;
  if (!organisation) return null;
  return (
    <Tooltip text={`Balance of ${organisation.name}`}>
      <Badge className="h-7 px-2.5 text-table tabular-nums">
        <span className="sr-only">Balance: </span>
        {formatMicros(organisation.balance)}
      </Badge>
    </Tooltip>
  );
}
