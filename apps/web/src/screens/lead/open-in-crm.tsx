import type { Lead } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { useCrmName } from "../../components/use-crm-name.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";

/** A link to the lead's record in its CRM; nothing for a lead without one. */
export function OpenInCrm({ lead: { crmUrl, integrationId } }: { lead: Lead }) {
  const { data } = useQuery({ ...integrationsQuery, enabled: crmUrl !== null });
  const service = data?.find(({ id }) => id === integrationId)?.service;
  const name = useCrmName(service);
  if (crmUrl === null || service === undefined) return null;
  return (
    <a
      href={crmUrl}
      target="_blank"
      rel="noreferrer"
      className={`${textLinkLook} inline-flex items-center gap-1.5 text-sm`}
    >
      Open in {name} <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  );
}
