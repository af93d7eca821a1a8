import { isSearch } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import type { CallLogFilter } from "../../../data/calls-query.ts";
import { callOutcomesQuery } from "../../../data/call-outcomes-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { ShortSearch } from "../../../components/short-search.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";

const any = "any";

export interface ChosenFilters {
  typed: string;
  outcome: string;
  userId: string;
}
export const noFilters: ChosenFilters = { typed: "", outcome: any, userId: any };

export const toCallLogFilter = ({ typed, outcome, userId }: ChosenFilters): CallLogFilter => ({
  ...(isSearch(typed) && { search: typed.trim() }),
  ...(outcome !== any && { outcomeId: outcome }),
  ...(userId !== any && { userId }),
});

interface CallLogFiltersProps {
  chosen: ChosenFilters;
  onChange: (chosen: ChosenFilters) => void;
}

export function CallLogFilters({ chosen, onChange }: CallLogFiltersProps) {
  const outcomes = useQuery(callOutcomesQuery).data ?? [];
  const me = useQuery(meQuery).data;
  return (
    <search className="flex flex-wrap gap-2">
      <div className="relative min-w-40 flex-1 max-md:basis-full">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
          aria-hidden="true"
        />
        <Input
          type="search"
          aria-label="Find by name, number or note"
          placeholder="Find by name, number or note"
          maxLength={100}
          className="pl-9"
          value={chosen.typed}
          onChange={(event) => onChange({ ...chosen, typed: event.target.value })}
        />
      </div>
      <Select
        aria-label="Outcome"
        className="w-42 max-md:w-auto max-md:flex-1"
        value={chosen.outcome}
        onValueChange={(outcome) => onChange({ ...chosen, outcome })}
        options={[
          { value: any, label: "Any outcome" },
          ...outcomes
            .filter(({ archived, inUse }) => !archived || inUse)
            .map(({ id, name }) => ({ value: id, label: name })),
          { value: "none", label: "No outcome" },
        ]}
      />
      <Select
        aria-label="Calls of"
        className="w-36 max-md:w-auto max-md:flex-1"
        value={chosen.userId}
        onValueChange={(userId) => onChange({ ...chosen, userId })}
        options={[{ value: any, label: "Everyone’s" }, ...(me ? [{ value: me.id, label: "Mine" }] : [])]}
      />
      <ShortSearch typed={chosen.typed} />
    </search>
  );
}
