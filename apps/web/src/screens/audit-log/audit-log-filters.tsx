import { byLeadline } from "@leadline/contract/audit-log";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { DayField } from "../../components/day-field.tsx";
import { useSearchText } from "../../components/use-search-text.ts";
import { type AuditFilter, auditSettingsQuery } from "../../data/audit-log-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { actionLabel } from "./audit-labels.ts";

const any = "any";

interface AuditLogFiltersProps {
  filter: AuditFilter;
  onChange: (change: AuditFilter) => void;
}

export function AuditLogFilters({ filter, onChange }: AuditLogFiltersProps) {
  const members = useQuery(membersQuery).data ?? [];
  const actions = useQuery(auditSettingsQuery).data?.actions ?? [];
  const [text, setText] = useSearchText(filter.search ?? "", (search) => onChange({ search }));
  const known = members.map(({ userId, firstName, lastName }) => ({
    value: userId,
    label: `${firstName} ${lastName}`,
  }));
  const others = [
    { value: any, label: "Everyone" },
    { value: byLeadline, label: "Leadline" },
  ];
  const people =
    filter.userId === undefined || filter.userId === byLeadline || known.some(({ value }) => value === filter.userId)
      ? known
      : [...known, { value: filter.userId, label: "Former member" }];
  return (
    <search className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_11rem_13rem_10rem_10rem]">
      <Field label="Search">
        {(control) => (
          <div className="relative">
            <Search
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
              aria-hidden="true"
            />
            <Input
              {...control}
              type="search"
              placeholder="Name, value or address"
              maxLength={100}
              className="pl-9"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </div>
        )}
      </Field>
      <Field label="Person">
        {(control) => (
          <Select
            {...control}
            value={filter.userId ?? any}
            onValueChange={(userId) => onChange({ userId: userId === any ? "" : userId })}
            options={[...others, ...people]}
          />
        )}
      </Field>
      <Field label="Action">
        {(control) => (
          <Select
            {...control}
            value={filter.action ?? any}
            onValueChange={(action) => onChange({ action: action === any ? "" : action })}
            options={[
              { value: any, label: "Any action" },
              ...actions.map((action) => ({ value: action, label: actionLabel(action) })),
            ]}
          />
        )}
      </Field>
      <div className="contents max-sm:grid max-sm:grid-cols-2 max-sm:gap-3">
        <DayField label="From" day={filter.from ?? null} onDay={(day) => onChange({ from: day ?? "" })} />
        <DayField label="To" day={filter.to ?? null} onDay={(day) => onChange({ to: day ?? "" })} />
      </div>
    </search>
  );
}
