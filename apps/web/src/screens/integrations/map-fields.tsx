import {
  type CrmField,
  type CrmFieldMapping,
  type CrmLeadField,
  crmLeadFields,
  CrmMappingInput,
} from "@leadline/contract/crm-mapping";
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

const words: Record<CrmLeadField, { label: string; help?: string }> = {
  fullName: { label: "Full name", help: "For a name in one field. Leadline splits it at the last space." },
  firstName: { label: "First name" },
  lastName: { label: "Last name" },
  email: { label: "Email" },
  phone: { label: "Phone" },
  company: { label: "Company" },
  jobTitle: { label: "Job title" },
  status: { label: "Status", help: "Leadline understands values such as Contacted, Qualified or Lost." },
  owner: { label: "Owner", help: "Leads go to the member whose email matches." },
};
const none = "none";

interface MapFieldsProps {
  integration: Integration;
  source: string;
  fields: readonly CrmField[];
  suggested: CrmFieldMapping;
}

/** Begins with what is kept, or with what is suggested for another source. */
export function MapFields({ integration, source, fields, suggested }: MapFieldsProps) {
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<CrmFieldMapping>(() =>
    integration.mapping?.source === source ? withoutGone(integration.mapping.fields, fields) : suggested,
  );
  const [message, setMessage] = useState<string | null>(null);
  const [isTouched, setTouched] = useState(false);
  const saving = useMutation({
    mutationFn: () => request(saveCrmMapping, { params: { id: integration.id }, body: { source, fields: mapping } }),
    async onSuccess({ label }) {
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      toast.success(`Saved. The next sync of ${label} uses it.`);
      await navigate({ to: "/integrations", ignoreBlocker: true });
    },
  });
  const options = [{ value: none, label: "Nothing" }, ...fields.map(({ id, name }) => ({ value: id, label: name }))];
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    const issue = CrmMappingInput.safeParse({ source, fields: mapping }).error?.issues[0];
    setMessage(issue?.message ?? null);
    if (issue === undefined) saving.mutate();
    else focusFirstInvalid();
  };

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AskBeforeLeaving unsaved={isTouched && !saving.isSuccess} />
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

/** What was chosen, as far as it is still there. */
function withoutGone(kept: CrmFieldMapping, fields: readonly CrmField[]): CrmFieldMapping {
  const stays = (id: string | null) => (fields.some((field) => field.id === id) ? id : null);
  return {
    fullName: stays(kept.fullName),
    firstName: stays(kept.firstName),
    lastName: stays(kept.lastName),
    email: stays(kept.email),
    phone: stays(kept.phone),
    company: stays(kept.company),
    jobTitle: stays(kept.jobTitle),
    status: stays(kept.status),
    owner: stays(kept.owner),
  };
}
