import {
  type CrmField,
  type CrmFieldMapping,
  type CrmLeadField,
  crmLeadFields,
  type CrmMapping,
  CrmMappingInput,
  mapFields,
} from "@leadline/contract/crm-mapping";
import { saveCrmOwners } from "@leadline/contract/crm-owners";
import { type Integration, saveCrmMapping } from "@leadline/contract/integrations";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { FurtherFields } from "./further-fields.tsx";
import { MapOwners, type OwnerChoices, ownerChoices } from "./map-owners.tsx";
import { changedStatuses, MapStatuses } from "./map-statuses.tsx";

const words: Record<CrmLeadField, { label: string; help?: string }> = {
  fullName: { label: "Full name", help: "For a name in one field. Leadline splits it at the last space." },
  firstName: { label: "First name" },
  lastName: { label: "Last name" },
  email: { label: "Email" },
  phone: { label: "Phone" },
  company: { label: "Company" },
  jobTitle: { label: "Job title" },
  status: { label: "Status", help: "Leadline understands values such as Contacted, Qualified or Lost." },
  owner: { label: "Owner", help: "Leads go to the member whose email matches, or whom you choose below." },
  nextStep: { label: "Next step", help: "What to do next. Leadline shows the first 200 characters." },
};
const none = "none";

interface MapFieldsProps {
  integration: Integration;
  source: string;
  fields: readonly CrmField[];
  suggested: CrmFieldMapping;
}

/** Starts with the saved mapping, or a suggested one for another source. */
export function MapFields({ integration, source, fields, suggested }: MapFieldsProps) {
  const navigate = useNavigate();
  const kept = integration.mapping?.source === source ? integration.mapping : undefined;
  const isThere = (id: string | null) => fields.some((field) => field.id === id);
  const [mapping, setMapping] = useState<CrmFieldMapping>(() =>
    kept === undefined ? suggested : mapFields(kept.fields, (id) => (isThere(id) ? id : null)),
  );
  const [custom, setCustom] = useState<readonly string[]>(() =>
    (kept?.custom ?? []).map(({ id }) => id).filter((id) => isThere(id)),
  );
  const [statuses, setStatuses] = useState<CrmMapping["statuses"]>(kept?.statuses ?? {});
  const statusField = fields.find(({ id }) => id === mapping.status);
  const [owners, setOwners] = useState<OwnerChoices>({});
  const [message, setMessage] = useState<string | null>(null);
  const [isTouched, setTouched] = useState(false);
  const saving = useMutation({
    async mutationFn() {
      const params = { id: integration.id };
      const changesOwners = Object.keys(owners).length > 0;
      const body = {
        source,
        fields: mapping,
        // Fields mapped to a lead field aren't listed again.
        custom: custom.filter((id) => !Object.values(mapping).includes(id)),
        statuses: changedStatuses(statusField?.options, statuses),
      };
      // Saving a mapping starts a full sync; owners need none.
      const savesMapping = isTouched || !changesOwners;
      if (savesMapping) await request(saveCrmMapping, { params, body });
      if (changesOwners) await request(saveCrmOwners, { params, body: { owners: ownerChoices(owners) } });
      return { savesMapping };
    },
    async onSuccess({ savesMapping }) {
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      const { label } = integration;
      toast.success(
        savesMapping
          ? `Saved. The next sync of ${label} uses it.`
          : "Saved. Leads move to their owners in the background.",
      );
      await navigate({ to: "/integrations", ignoreBlocker: true });
    },
  });
  const options = [{ value: none, label: "Nothing" }, ...fields.map(({ id, name }) => ({ value: id, label: name }))];
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const issue = CrmMappingInput.safeParse({ source, fields: mapping }).error?.issues[0];
    setMessage(issue?.message ?? null);
    if (issue === undefined) saving.mutate();
    else focusFirstInvalid(issue, event);
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AskBeforeLeaving unsaved={(isTouched || Object.keys(owners).length > 0) && !saving.isSuccess} />
      {saving.error ? <Notice>{problemDetail(saving.error)}</Notice> : null}
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-3 font-semibold">Lead fields</legend>
        {crmLeadFields.map((field) => {
          const chosen = mapping[field];
          return (
            <Field
              key={field}
              label={words[field].label}
              help={words[field].help}
              message={field === "fullName" ? (message ?? undefined) : undefined}
            >
              {(control) => (
                <Select
                  {...control}
                  options={options}
                  value={chosen ?? none}
                  onValueChange={(value) => {
                    setMapping({ ...mapping, [field]: value === none ? null : value });
                    setMessage(null);
                    setTouched(true);
                  }}
                />
              )}
            </Field>
          );
        })}
      </fieldset>
      {statusField?.options?.length ? (
        <MapStatuses
          field={statusField}
          chosen={statuses}
          onChange={(chosen) => {
            setStatuses(chosen);
            setTouched(true);
          }}
        />
      ) : null}
      {mapping.owner === null ? null : (
        <MapOwners integrationId={integration.id} chosen={owners} onChange={setOwners} />
      )}
      <FurtherFields
        fields={fields}
        mapped={new Set(Object.values(mapping))}
        chosen={custom}
        onChange={(chosen) => {
          setCustom(chosen);
          setTouched(true);
        }}
      />
      <div className="flex gap-2 pt-1">
        <Button type="submit" busy={saving.isPending}>
          Save
        </Button>
        <Button asChild tone="quiet">
          <Link to="/integrations">Cancel</Link>
        </Button>
      </div>
    </form>
  );
}
