import type { CrmField, CrmMapping } from "@leadline/contract/crm-mapping";
import { LeadStatus } from "@leadline/contract/leads";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";

type Statuses = CrmMapping["statuses"];
const statuses = LeadStatus.options.map((status) => ({ value: status, label: status }));

interface MapStatusesProps {
  field: CrmField;
  chosen: Statuses;
  onChange: (statuses: Statuses) => void;
}

/** Which status each value of the CRM's status field stands for. */
export function MapStatuses({ field: { name, options = [] }, chosen, onChange }: MapStatusesProps) {
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-semibold">Values of {name}</legend>
      {options.map(({ value, label, status }) => (
        <Field key={value} label={label}>
          {(control) => (
            <Select
              {...control}
              options={statuses}
              value={chosen[value] ?? status}
              onValueChange={(to) => onChange({ ...chosen, [value]: LeadStatus.parse(to) })}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

/** Only the values whose status differs from Leadline's own reading are saved. */
export const changedStatuses = (options: CrmField["options"] = [], chosen: Statuses): Statuses =>
  Object.fromEntries(
    options.flatMap(({ value, status }) => {
      const to = chosen[value];
      return to === undefined || to === status ? [] : [[value, to] as const];
    }),
  );
