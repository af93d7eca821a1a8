import { createIntegration } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { may } from "../../components/may.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { crmServicesQuery } from "../../data/integrations-query.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { IntegrationForm } from "./integration-form.tsx";

export function NewIntegrationScreen() {
  const organisation = usePageOrganisation();
  const services = useQuery({
    ...crmServicesQuery,
    enabled: may(organisation?.role ?? null, createIntegration),
  });
  if (!organisation) return <NoOrganisation title="New integration" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="New integration" lead="Name the CRM here. You connect it in the next step." />
      <div className="max-w-[440px]">
        {!may(organisation.role, createIntegration) ? (
          <Notice tone="brass">Only an owner or admin of {organisation.name} can add an integration.</Notice>
        ) : services.data ? (
          <IntegrationForm services={services.data} />
        ) : services.isError ? (
          <LoadFailed what="The list of CRMs" query={services} />
        ) : (
          <div aria-busy="true" className="flex flex-col gap-5">
            <output className="sr-only">Loading the list of CRMs</output>
            <Skeleton className="h-9 w-full" />
            <Skeleton className="h-9 w-full" />
          </div>
        )}
      </div>
    </div>
  );
}
