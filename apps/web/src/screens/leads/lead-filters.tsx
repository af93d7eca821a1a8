import { LeadSort, LeadStatus } from "@leadline/contract/leads";
import { Search, X } from "lucide-react";
import type { LeadFilter } from "../../data/leads-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { ShortSearch } from "../../components/short-search.tsx";
import { useSearchText } from "../../components/use-search-text.ts";

const anyStatus = "any";
const statuses = [
  { value: anyStatus, label: "Any status" },
  ...LeadStatus.options.map((status) => ({ value: status, label: status })),
];
const sortWords = { newest: "Newest first", oldest: "Oldest first", name: "By name", status: "By status" } as const;
const sorts = LeadSort.options.map((sort) => ({ value: sort, label: sortWords[sort] }));

interface LeadFiltersProps {
  filter: LeadFilter;
  onChange: (news: Partial<LeadFilter>) => void;
}

export function LeadFilters({ filter, onChange }: LeadFiltersProps) {
  const [text, setText] = useSearchText(filter.search, (search) => onChange({ search }));
  return (
    <search className="flex flex-wrap gap-2">
      <div className="relative min-w-52 flex-1 max-md:w-full max-md:flex-none md:max-w-80">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
          aria-hidden="true"
        />
        <Input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          aria-label="Search leads"
          placeholder="Name, email or phone"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="px-9"
        />
        {text === "" ? null : (
          <IconButton
            label="Clear the search"
            size="small"
            className="absolute top-1/2 right-0.5 -translate-y-1/2"
            onClick={() => setText("")}
          >
            <X />
          </IconButton>
        )}
      </div>
      <Select
        aria-label="Status"
        options={statuses}
        value={filter.status ?? anyStatus}
        onValueChange={(value) => onChange({ status: LeadStatus.options.find((status) => status === value) })}
        className="w-36 max-md:w-auto max-md:flex-1"
      />
      <Select
        aria-label="Sort"
        options={sorts}
        value={filter.sort}
        onValueChange={(value) => onChange({ sort: LeadSort.options.find((sort) => sort === value) ?? "newest" })}
        className="w-36 max-md:w-auto max-md:flex-1"
      />
      <ShortSearch typed={text} />
    </search>
  );
}
