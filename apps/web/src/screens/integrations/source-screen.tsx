import type { CrmSource } from "@leadline/contract/crm-mapping";
import { type CrmServiceDescription, type Integration, saveCrmMapping } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { crmServicesQuery, crmSourceQuery, crmSourcesQuery, integrationsQuery } from "../../data/integrations-query.ts";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { NotFoundScreen } from "../not-found-screen.tsx";
import { lacksSource } from "./integration-actions.tsx";
import { MapFields } from "./map-fields.tsx";
import { SendChanges } from "./send-changes.tsx";

const title = "Lead fields";

/** For a CRM whose customers define their own kinds of records: which kind holds leads, and what each field is. */
export function SourceScreen() {
  const { integrationId } = useParams({ from: "/signed-in/integrations/$integrationId/source" });
  const organisation = usePageOrganisation();
  const integrations = useQuery(integrationsQuery);
  const services = useQuery(crmServicesQuery);
  if (!organisation) return <NoOrganisation title={title} />;
  if (!may(organisation.role, saveCrmMapping))
    return (
      <Page lead="">
        <Notice tone="brass">Only an owner or admin of {organisation.name} can map fields.</Notice>
      </Page>
    );
  const integration = integrations.data?.find(({ id }) => id === integrationId);
  const service = services.data?.find((one) => one.service === integration?.service);
  if (integration && service) return <Source integration={integration} service={service} />;
  if (integrations.data && services.data) return <NotFoundScreen />;
  return (
    <Page lead="">
      {[integrations, services].some((query) => query.isError && !query.data) ? (
        <LoadFailed what="Your integrations" query={[integrations, services]} />
      ) : (
        <Loading what="your integrations" />
      )}
    </Page>
  );
}

function Source({ integration, service }: { integration: Integration; service: CrmServiceDescription }) {
  const sources = useQuery(crmSourcesQuery(integration.id));
  const [chosen, setChosen] = useState(integration.mapping?.source);
  const source = chosen ?? sources.data?.find(({ name }) => /\bleads?\b/i.test(name))?.id;
  const only = service.choosesSource ? undefined : sources.data?.[0];
  const lead = service.choosesSource
    ? `Choose where the leads of ${integration.label} are in ${service.name}, and match the fields.`
    : `Match the fields of ${integration.label} in ${service.name}. Saving syncs all its leads again.`;
  return (
    <Page lead={lead}>
      {lacksSource(integration, service) ? null : <SendChanges integration={integration} service={service} />}
      {only ? (
        <Fields integration={integration} source={only.id} />
      ) : sources.data?.length === 0 ? (
        <Notice tone="brass" title={`Nothing to choose in ${service.name}`}>
          Check that the connected {service.name} account can see your leads.
        </Notice>
      ) : sources.data ? (
        <div className="flex flex-col gap-5">
          <Field label="Source" help={placeOf(sources.data, source)}>
            {(control) => (
              <Select
                {...control}
                options={sources.data.map(({ id, name }) => ({ value: id, label: name }))}
                value={source}
                onValueChange={setChosen}
                placeholder="Choose where your leads are"
              />
            )}
          </Field>
          {source === undefined ? null : <Fields key={source} integration={integration} source={source} />}
        </div>
      ) : sources.isError ? (
        <LoadFailed what="What there is to choose" query={sources} />
      ) : (
        <Loading what="what there is to choose" />
      )}
    </Page>
  );
}

function placeOf(sources: readonly CrmSource[], source: string | undefined): string | undefined {
  const found = sources.find(({ id }) => id === source);
  if (source !== undefined && found === undefined) return "The chosen source no longer exists. Choose another.";
  return found?.within || undefined;
}

function Fields({ integration, source }: { integration: Integration; source: string }) {
  const described = useQuery(crmSourceQuery(integration.id, source));
  if (described.data) return <MapFields integration={integration} source={source} {...described.data} />;
  return described.isError ? <LoadFailed what="Its fields" query={described} /> : <Loading what="its fields" />;
}

function Page({ lead, children }: { lead: string; children: React.ReactNode }) {
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title={title} lead={lead} />
      <div className="max-w-[440px]">{children}</div>
    </div>
  );
}

function Loading({ what }: { what: string }) {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <output className="sr-only">Loading {what}</output>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
    </div>
  );
}
