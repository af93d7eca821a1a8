import {
  deleteLeadImport,
  LeadField,
  type LeadImport,
  type LeadImportCheck,
  LeadMapping,
  type PartialLeadMapping,
  startLeadImport,
} from "@leadline/contract/lead-imports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { leadFieldWords } from "../../components/lead-field-words.ts";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { request } from "../../data/api-client.ts";
import { leadImportCheckQuery, leadImportQuery } from "../../data/lead-import-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { followStartedImport } from "../../data/started-imports.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { ImportPreview } from "./import-preview.tsx";

/** A lead needs a name, and a phone or an email. */
const neededFields: readonly LeadField[] = ["firstName", "lastName", "email", "phone"];
const none = "none";

export function MapColumns({ leadImport }: { leadImport: LeadImport }) {
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<PartialLeadMapping>(leadImport.suggestedMapping);
  const [skipKnownNumbers, setSkipKnownNumbers] = useState(true);
  const isChanged =
    !skipKnownNumbers || LeadField.options.some((field) => mapping[field] !== leadImport.suggestedMapping[field]);
  const complete = LeadMapping.safeParse(mapping);
  const check = useQuery(leadImportCheckQuery(leadImport.id, complete.data ?? null));
  const totals = check.isPlaceholderData ? null : (check.data?.totals ?? null);
  const toImport = totals && totals.new + (skipKnownNumbers ? 0 : totals.known + totals.repeated);
  const { queryKey } = leadImportQuery(leadImport.id);
  const starting = useMutation({
    mutationFn: (chosen: LeadMapping) =>
      request(startLeadImport, { params: { id: leadImport.id }, body: { mapping: chosen, skipKnownNumbers } }),
    onSuccess(started) {
      queryClient.setQueryData(queryKey, started);
      followStartedImport(started.id);
    },
  });
  const leaving = useMutation({
    mutationFn: () => request(deleteLeadImport, { params: { id: leadImport.id } }),
    onSettled: () => navigate({ to: "/leads/import", search: {} }),
  });
  const columns = leadImport.columns.map((name, index) => ({
    value: String(index),
    label: name || `Column ${index + 1}`,
  }));

  const shared = sharedColumns(mapping).map(({ column, fields }) => {
    const named = fields.map((field) => leadFieldWords[field]);
    return `“${columns[column]?.label ?? ""}” fills ${named.slice(0, -1).join(", ")} and ${named.at(-1)}.`;
  });

  return (
    <>
      <AskBeforeLeaving unsaved={isChanged || starting.isPending} />
      <p className="text-sm">
        <span className="font-medium">{leadImport.fileName}</span>{" "}
        <span className="text-ink-soft">
          has {inRows(leadImport.rowCount)}. Match its columns. You need a name, and a phone or an email.
        </span>
      </p>
      <div className="grid max-w-[680px] gap-x-5 gap-y-4 sm:grid-cols-2">
        {LeadField.options.map((field) => (
          <Field
            key={field}
            label={leadFieldWords[field]}
            optional={!neededFields.includes(field)}
            message={complete.error?.issues.find(({ path }) => path[0] === field)?.message}
          >
            {(control) => (
              <Select
                options={[{ value: none, label: "Not in this file" }, ...columns]}
                value={mapping[field] === undefined ? none : String(mapping[field])}
                onValueChange={(value) => setMapping(withColumn(mapping, field, value === none ? null : Number(value)))}
                {...control}
              />
            )}
          </Field>
        ))}
      </div>
      {shared.length > 0 ? (
        <Notice tone="brass" title="A column is used more than once">
          {shared.join(" ")} If that’s a mistake, choose another column for one of them.
        </Notice>
      ) : null}
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={skipKnownNumbers}
          onChange={(event) => setSkipKnownNumbers(event.target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-brand"
        />
        <span>
          Leave out rows whose phone number is already in your leads, or further up in the file
          <span className="block text-table text-ink-soft">
            Importing the same file again then adds nothing. Rows without a valid number are compared by name, email and
            phone. After the import, you can see every duplicate and what it matches.
          </span>
        </span>
      </label>
      <ImportPreview
        leadImport={leadImport}
        mapping={mapping}
        fates={complete.success && !check.isPlaceholderData ? check.data?.preview : undefined}
        skipKnownNumbers={skipKnownNumbers}
      />
      {complete.success ? <CheckWords check={check} rowCount={leadImport.rowCount} /> : null}
      {starting.isError ? <Notice>{problemDetail(starting.error)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={!complete.success || toImport === 0}
          busy={starting.isPending}
          onClick={() => complete.data && starting.mutate(complete.data)}
        >
          {toImport === null ? "Import" : toImport === 0 ? "Nothing to import" : `Import ${inRows(toImport)}`}
        </Button>
        <Button tone="quiet" busy={leaving.isPending} onClick={() => leaving.mutate()}>
          Choose another file
        </Button>
      </div>
    </>
  );
}

const inRows = (count: number): string => `${count.toLocaleString()} ${count === 1 ? "row" : "rows"}`;

interface CheckWordsProps {
  check: {
    data: LeadImportCheck | null | undefined;
    isPlaceholderData: boolean;
    isFetching: boolean;
    isError: boolean;
    error: unknown;
  };
  rowCount: number;
}

/** The result for the whole file. */
function CheckWords({ check: { data, isPlaceholderData, isFetching, isError, error }, rowCount }: CheckWordsProps) {
  if (isError && !isFetching)
    return (
      <Notice tone="brass" title="Couldn’t compare the rows with your leads">
        {problemDetail(error)}
      </Notice>
    );
  if (!data || isPlaceholderData)
    return <p className="text-sm text-ink-soft">Comparing {inRows(rowCount)} with your leads…</p>;
  if (data.totals === null)
    return (
      <p className="text-sm text-ink-soft tabular-nums">
        Comparing with your leads: {data.checkedRows.toLocaleString()} of {inRows(rowCount)}…
      </p>
    );
  const told = [
    [data.totals.new, "new"],
    [data.totals.known, "already in your leads"],
    [data.totals.repeated, "repeated in the file"],
    [data.totals.failed, data.totals.failed === 1 ? "with an error, skipped" : "with errors, skipped"],
  ] as const;
  return (
    <output className="text-sm tabular-nums">
      Of {inRows(rowCount)}:{" "}
      {told
        .filter(([count]) => count > 0)
        .map(([count, what]) => `${count.toLocaleString()} ${what}`)
        .join(" · ")}
    </output>
  );
}

/** Columns that fill more than one field. */
function sharedColumns(mapping: PartialLeadMapping): { column: number; fields: LeadField[] }[] {
  const byColumn = Map.groupBy(
    LeadField.options.filter((field) => mapping[field] !== undefined),
    (field) => mapping[field] ?? 0,
  );
  return [...byColumn].filter(([, fields]) => fields.length > 1).map(([column, fields]) => ({ column, fields }));
}

function withColumn(mapping: PartialLeadMapping, field: LeadField, column: number | null): PartialLeadMapping {
  const { [field]: _, ...rest } = mapping;
  return column === null ? rest : { ...rest, [field]: column };
}
