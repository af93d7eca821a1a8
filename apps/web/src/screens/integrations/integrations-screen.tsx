import { createIntegration } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PlugZap, Plus } from "lucide-react";
import { may } from "../../components/may.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { crmServicesQuery, integrationsQuery } from "../../data/integrations-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IntegrationsSkeleton, IntegrationsTable } from "./integrations-table.tsx";

export function IntegrationsScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Integrations" />;
  return <Integrations mayChange={may(organisation.role, createIntegration)} />;
}

function Integrations({ mayChange }: { mayChange: boolean }) {
  const integrations = useQuery(integrationsQuery);
  const services = useQuery(crmServicesQuery);
  const newButton = mayChange ? (
    <Button asChild>
      <Link to="/integrations/new">
        <Plus aria-hidden="true" /> New integration
      </Link>
    </Button>
  ) : null;
  const failed = [integrations, services].some((query) => query.isError && !query.data);
  const { data } = integrations;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Integrations"
        lead={
          mayChange
            ? "Connect a CRM to bring in its leads."
            : "The CRMs your leads come from. An admin adds and connects them."
        }
        action={data?.length === 0 ? null : newButton}
      />
      {failed ? (
        <LoadFailed what="Your integrations" query={[integrations, services]} />
      ) : data && services.data ? (
        data.length > 0 ? (
          <IntegrationsTable integrations={data} services={services.data} mayChange={mayChange} />
        ) : (
          <EmptyState
            picture={<PlugZap className="size-8" aria-hidden="true" />}
            title="No CRM connected yet"
            action={newButton}
          >
            {mayChange
              ? "Add the CRM your team uses. Leadline imports its leads and keeps them up to date."
              : "An owner or admin of your organisation can add the CRM your team uses."}
          </EmptyState>
        )
      ) : (
        <IntegrationsSkeleton />
      )}
    </div>
  );
}
