import { type CrmField, maxCustomFields } from "@leadline/contract/crm-mapping";
import { X } from "lucide-react";
import { Combobox } from "../../ui/combobox.tsx";
import { Field } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

interface FurtherFieldsProps {
  fields: readonly CrmField[];
  /** Fields already mapped to a field of the lead. */
  mapped: ReadonlySet<string | null>;
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}

/** CRM fields that Leadline has no field for: shown on the lead's page as in the CRM. */
export function FurtherFields({ fields, mapped, chosen, onChange }: FurtherFieldsProps) {
  const options = fields
    .filter(({ id }) => !mapped.has(id) && !chosen.includes(id))
    .map(({ id, name }) => ({ value: id, label: name, keywords: [id] }));
  const isFull = chosen.length >= maxCustomFields;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-3 font-semibold">Further fields</legend>
      {chosen.length === 0 ? null : (
        <ul aria-label="Further fields" className="flex flex-col rounded-md border border-line bg-panel">
          {chosen.map((id) => {
            const name = fields.find((field) => field.id === id)?.name ?? id;
            return (
              <li key={id} className="flex items-center justify-between gap-2 border-line pl-3 not-first:border-t">
                <span className="min-w-0 truncate text-sm">{name}</span>
                <IconButton label={`Remove ${name}`} onClick={() => onChange(chosen.filter((other) => other !== id))}>
                  <X aria-hidden="true" />
                </IconButton>
              </li>
            );
          })}
        </ul>
      )}
      <Field
        label="Add a field"
        help={
          isFull ? `You can add up to ${maxCustomFields} fields.` : "Shown on the lead’s page. You can’t edit it here."
        }
      >
        {(control) => (
          <Combobox
            {...control}
            options={options}
            value=""
            onValueChange={(id) => onChange([...chosen, id])}
            searchLabel="Search fields"
            placeholder={options.length === 0 ? "No other fields" : "Choose a field"}
            disabled={isFull || options.length === 0}
          />
        )}
      </Field>
    </fieldset>
  );
}
