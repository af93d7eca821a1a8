import type { LeadStatus } from "@leadline/contract/leads";
import { Check } from "lucide-react";
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
      {status === "Qualified" ? <Check aria-hidden="true" /> : null}
      {status}
    </Badge>
  );
}
