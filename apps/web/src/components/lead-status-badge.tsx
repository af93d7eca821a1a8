import type { LeadStatus } from "@leadline/contract/leads";
import { Badge } from "../ui/badge.tsx";

const tones = {
  New: "brand",
  Working: "brass",
  Nurturing: "plain",
  Qualified: "brand",
  Unqualified: "plain",
} as const satisfies Record<LeadStatus, string>;

export function LeadStatusBadge({ status }: { status: LeadStatus }) {
  return (
    <Badge tone={tones[status]}>
      {status === "Qualified" ? <span aria-hidden="true">✓</span> : null}
      {status}
    </Badge>
  );
}
