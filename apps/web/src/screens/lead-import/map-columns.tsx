import {
  deleteLeadImport,
  LeadField,
  type LeadImport,
  LeadMapping,
  type PartialLeadMapping,
  startLeadImport,
} from "@leadline/contract/lead-imports";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { request } from "../../data/api-client.ts";
import { leadImportQuery } from "../../data/lead-import-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ImportPreview } from "./import-preview.tsx";

const fieldWords: Record<LeadField, string> = {
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  phone: "Phone",
  status: "Status",
  followUpOn: "Call back on",
};
const optional: readonly LeadField[] = ["status", "followUpOn"];
const none = "none";

export function MapColumns({ leadImport }: { leadImport: LeadImport }) {
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<PartialLeadMapping>(leadImport.suggestedMapping);
  const [skipKnownNumbers, setSkipKnownNumbers] = useState(true);
  const complete = LeadMapping.safeParse(mapping);
  const { queryKey } = leadImportQuery(leadImport.id);
  const starting = useMutation({
    mutationFn: (chosen: LeadMapping) =>
      request(startLeadImport, { params: { id: leadImport.id }, body: { mapping: chosen, skipKnownNumbers } }),
    onSuccess: (started) => queryClient.setQueryData(queryKey, started),
  });
  const leaving = useMutation({
    mutationFn: () => request(deleteLeadImport, { params: { id: leadImport.id } }),
    onSettled: () => navigate({ to: "/leads/import", search: {} }),
  });
  const columns = leadImport.columns.map((name, index) => ({
    value: String(index),
    label: name || `Column ${index + 1}`,
  }));

  return (
    <>
      <p className="text-sm">
        <span className="font-medium">{leadImport.fileName}</span>{" "}
        <span className="text-ink-soft">
          holds {leadImport.rowCount.toLocaleString()} {leadImport.rowCount === 1 ? "row" : "rows"}. Say which column is
          what.
        </span>
      </p>
      <div className="grid max-w-[680px] gap-x-5 gap-y-4 sm:grid-cols-2">
        {LeadField.options.map((field) => (
          <Field
            key={field}
            label={fieldWords[field]}
            optional={optional.includes(field)}
            message={mapping[field] === undefined && !optional.includes(field) ? "Choose its column." : undefined}
          >
            {(control) => (
              <Select
                placeholder="Choose a column"
                options={optional.includes(field) ? [{ value: none, label: "Not in this file" }, ...columns] : columns}
                value={mapping[field] === undefined ? (optional.includes(field) ? none : "") : String(mapping[field])}
                onValueChange={(value) => setMapping(withColumn(mapping, field, value === none ? null : Number(value)))}
                {...control}
              />
            )}
          </Field>
        ))}
      </div>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={skipKnownNumbers}
          onChange={(event) => setSkipKnownNumbers(event.target.checked)}
          className="mt-0.5 size-4 accent-brand"
        />
        <span>
          Leave out rows whose phone number is in your leads already
          <span className="block text-table text-ink-soft">A second import of the same file then adds nothing.</span>
        </span>
      </label>
      <ImportPreview leadImport={leadImport} mapping={mapping} />
      {starting.isError ? <Notice>{problemDetail(starting.error)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={!complete.success}
          busy={starting.isPending}
          onClick={() => complete.data && starting.mutate(complete.data)}
        >
          Import {leadImport.rowCount.toLocaleString()} {leadImport.rowCount === 1 ? "row" : "rows"}
        </Button>
        <Button tone="quiet" busy={leaving.isPending} onClick={() => leaving.mutate()}>
          Choose another file
        </Button>
      </div>
    </>
  );
}

function withColumn(mapping: PartialLeadMapping, field: LeadField, column: number | null): PartialLeadMapping {
  const { [field]: _, ...rest } = mapping;
  return column === null ? rest : { ...rest, [field]: column };
}
