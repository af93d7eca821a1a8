import type { Integration } from "@leadline/contract/integrations";
import type { Lead } from "@leadline/contract/leads";
import { createLeadInCrm } from "@leadline/contract/written-leads";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CloudUpload } from "lucide-react";
import { toast } from "sonner";
import { useCrmName } from "../../components/use-crm-name.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { leadWritingQuery } from "../../data/lead-writing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { MenuItem } from "../../ui/menu.tsx";

/** For a lead that was added in Leadline: one action for each connected CRM. */
export function CreateInCrmItems({ lead: { id, integrationId } }: { lead: Lead }) {
  const { data: integrations = [] } = useQuery({ ...integrationsQuery, enabled: integrationId === null });
  const { data: writing } = useQuery(leadWritingQuery(id));
  const creating = useMutation({
    mutationFn: ({ id: chosen }: Integration) =>
      request(createLeadInCrm, { params: { id }, body: { integrationId: chosen } }),
    onSuccess: (now) => queryClient.setQueryData(leadWritingQuery(id).queryKey, now),
    onError: (error) => toast.error("The lead wasn’t created.", { description: problemDetail(error) }),
  });
  const isWaiting = creating.isPending || (writing?.creates === true && writing.state === "waiting");
  const connected = integrations.filter(({ status, problem }) => status === "active" && problem === null);
  if (integrationId !== null || isWaiting) return null;
  return connected.map((one) => {
    const isAmbiguous = connected.filter(({ service }) => service === one.service).length > 1;
    return (
      <MenuItem key={one.id} onSelect={() => creating.mutate(one)}>
        <CloudUpload aria-hidden="true" /> Create in <CrmName service={one.service} />
        {isAmbiguous ? ` (${one.label})` : ""}
      </MenuItem>
    );
  });
}

const CrmName = ({ service }: Pick<Integration, "service">) => useCrmName(service);
