import { useQuery } from "@tanstack/react-query";
import { PhoneOff } from "lucide-react";
import { doNotCallOfQuery } from "../data/do-not-call-query.ts";
import { Badge } from "../ui/badge.tsx";

/** Next to a number (E.164) that is on the do-not-call list. */
export function DoNotCallBadge({ phoneNumber }: { phoneNumber: string }) {
  const entry = useQuery(doNotCallOfQuery(phoneNumber)).data;
  return entry ? <DoNotCallMark title={`Added by ${entry.userName}`} /> : null;
}

export function DoNotCallMark({ title }: { title?: string }) {
  return (
    <Badge tone="fault" title={title}>
      <PhoneOff aria-hidden="true" /> Do not call
    </Badge>
  );
}
