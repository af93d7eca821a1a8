import { crmServiceNames } from "@leadline/contract/integrations";
import type { Lead } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { integrationsQuery } from "../../data/integrations-query.ts";

/** A link to the lead's record in its CRM; nothing for a lead without one. */
export function OpenInCrm({ lead: { crmUrl, integrationId } }: { lead: Lead }) {
  const { data } = useQuery({ ...integrationsQuery, enabled: crmUrl !== null });
  const service = data?.find(({ id }) => id === integrationId)?.service;
  if (crmUrl === null || service === undefined) return null;
  return (
    <a
      href={crmUrl}
      target="_blank"
      rel="noreferrer"
      className={`${textLinkLook} inline-flex items-center gap-1.5 text-sm`}
    >
      Open in {crmServiceNames[service]} <ExternalLink aria-hidden="true" className="size-3.5" />
    </a>
  );
}
