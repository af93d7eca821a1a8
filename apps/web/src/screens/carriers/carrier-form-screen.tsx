import { createCarrier } from "@leadline/contract/carriers";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { may } from "../../components/may.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { accountKindsQuery, carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carrierKindsQuery, carriersQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AccountForm } from "./account-form.tsx";
import { CarrierForm } from "./carrier-form.tsx";

export const NewCarrierScreen = () => <CarrierFormScreen carrierId={null} />;

export function EditCarrierScreen() {
  const { carrierId } = useParams({ from: "/signed-in/settings/carriers/$carrierId" });
  return <CarrierFormScreen key={carrierId} carrierId={carrierId} />;
}

function CarrierFormScreen({ carrierId }: { carrierId: string | null }) {
  const organisation = useQuery(meQuery).data?.activeOrganisation;
  if (organisation === undefined) return null;
  const title = carrierId === null ? "Connect a carrier" : "Carrier";
  if (organisation === null) return <NoOrganisation title={title} />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title={title}
        lead="Connect a SIP trunk or PBX by what its provider gave you, or an account at a carrier by its API key."
      />
      <div className="max-w-[440px]">
        {may(organisation.role, createCarrier) ? (
          carrierId === null ? (
            <NewCarrier />
          ) : (
            <KeptCarrier carrierId={carrierId} />
          )
        ) : (
          <Notice tone="brass">Only an owner of {organisation.name} can connect or change its carriers.</Notice>
        )}
      </div>
    </div>
  );
}

const noPreset = "none";

function NewCarrier() {
  const kinds = useQuery(carrierKindsQuery);
  const vendors = useQuery(accountKindsQuery);
  const [chosen, choose] = useState<string | null>(null);
  const [presetId, choosePreset] = useState(noPreset);
  if (!kinds.data) return <Awaited query={kinds} what="The list of carriers" />;
  if (!vendors.data) return <Awaited query={vendors} what="The list of carriers" />;
  const vendor = vendors.data.find((one) => one.vendor === chosen);
  const kind = kinds.data.find((one) => one.kind === chosen) ?? kinds.data[0];
  if (!kind) return <Notice tone="brass">No carriers can be connected on this server.</Notice>;
  const preset = kind.presets.find(({ id }) => id === presetId);
  return (
    <div className="flex flex-col gap-5">
      <Field label="Carrier">
        {(control) => (
          <Select
            {...control}
            options={[
              ...kinds.data.map((one) => ({ value: one.kind, label: one.name })),
              ...vendors.data.map((one) => ({ value: one.vendor, label: `${one.name} (by API key)` })),
            ]}
            value={vendor?.vendor ?? kind.kind}
            onValueChange={choose}
          />
        )}
      </Field>
      {vendor || kind.presets.length === 0 ? null : (
        <Field label="Provider or PBX" help="Fills in the known settings.">
          {(control) => (
            <Combobox
              {...control}
              searchLabel="Search providers and PBXes"
              options={[
                { value: noPreset, label: "Other" },
                ...kind.presets.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={preset?.id ?? noPreset}
              onValueChange={choosePreset}
            />
          )}
        </Field>
      )}
      {vendor ? (
        <AccountForm key={vendor.vendor} kind={vendor} />
      ) : (
        <CarrierForm key={kind.kind} kind={kind} {...(preset && { preset })} />
      )}
    </div>
  );
}

function KeptCarrier({ carrierId }: { carrierId: string }) {
  const kinds = useQuery(carrierKindsQuery);
  const carriers = useQuery(carriersQuery);
  const accounts = useQuery(carrierAccountsQuery);
  const vendors = useQuery(accountKindsQuery);
  if (!kinds.data) return <Awaited query={kinds} what="The carrier" />;
  if (!accounts.data) return <Awaited query={accounts} what="The carrier" />;
  if (!vendors.data) return <Awaited query={vendors} what="The carrier" />;
  if (!carriers.data) return <Awaited query={carriers} what="The carrier" />;
  const carrier = carriers.data.find(({ id }) => id === carrierId);
  const kind = kinds.data.find((one) => one.kind === carrier?.kind);
  const account = accounts.data.find((one) => one.carrierId === carrierId);
  const setUpAt = account && (vendors.data.find(({ vendor }) => vendor === account.vendor)?.name ?? account.vendor);
  if (carrier && kind) return <CarrierForm kind={kind} carrier={carrier} {...(setUpAt && { setUpAt })} />;
  return (
    <EmptyState
      title="Carrier not found"
      action={
        <Button asChild tone="plain">
          <Link to="/settings/carriers">Your carriers</Link>
        </Button>
      }
    >
      It may have been removed, or the link may be wrong.
    </EmptyState>
  );
}

interface AwaitedProps {
  what: string;
  query: UseQueryResult;
}

function Awaited({ what, query }: AwaitedProps) {
  if (query.isError) return <LoadFailed what={what} query={query} />;
  return (
    <div role="status" aria-label={`Loading: ${what}`} className="flex flex-col gap-6">
      {["w-full", "w-full", "w-3/4", "w-full"].map((width, index) => (
        <Skeleton key={`${width}-${index}`} className={`h-9 ${width}`} />
      ))}
    </div>
  );
}
