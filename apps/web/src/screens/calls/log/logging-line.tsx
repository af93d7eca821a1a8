import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";
import { IconLine } from "../../../components/icon-line.tsx";
import { integrationsQuery } from "../../../data/integrations-query.ts";
import { ActivityLine, WithChangeLead } from "./activity-line.tsx";

/** Whether a call was logged in a CRM, and why it wasn't. Nothing without a CRM, and for calls that belong to no lead. */
export function LoggingLine({ call }: { call: Call }) {
  const isMissing = call.activity === null && call.leads.length > 0 && !isLive(call.status);
  const integrations = useQuery({ ...integrationsQuery, enabled: isMissing }).data ?? [];
  if (call.activity !== null) return <ActivityLine call={call} activity={call.activity} />;
  if (!isMissing || !integrations.some(({ status }) => status === "active")) return null;
  return (
    <WithChangeLead call={call}>
      <IconLine icon={<CircleSlash aria-hidden="true" />}>
        Not logged in a CRM, because the call’s lead wasn’t in one.
      </IconLine>
    </WithChangeLead>
  );
}
