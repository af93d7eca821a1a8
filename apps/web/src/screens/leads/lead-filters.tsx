import { LeadCalled, LeadConditions, LeadDue, LeadSort, LeadStatus } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import type { LeadFilter } from "../../data/leads-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { ShortSearch } from "../../components/short-search.tsx";
import { useSearchText } from "../../components/use-search-text.ts";

const any = "any";
const statuses = [
  { value: any, label: "Any status" },
  ...LeadStatus.options.map((status) => ({ value: status, label: status })),
];
const calledWords = {
  never: "Never called",
  "last-7-days": "Called in 7 days",
  "not-7-days": "Not called in 7 days",
  "not-30-days": "Not called in 30 days",
} as const satisfies Record<LeadCalled, string>;
const calls = [
  { value: any, label: "Any last call" },
  ...LeadCalled.options.map((called) => ({ value: called, label: calledWords[called] })),
];
const dueLabel = {
  overdue: "Overdue",
  today: "Due today or overdue",
  "next-7-days": "Due in 7 days",
  any: "Any day set",
} as const satisfies Record<LeadDue, string>;
const noDue = "no-matter";
const dues = [
  { value: noDue, label: "Any follow-up" },
  ...LeadDue.options.map((due) => ({ value: due, label: dueLabel[due] })),
];
const sortWords = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "Name A–Z",
  "-name": "Name Z–A",
  company: "Company A–Z",
  "-company": "Company Z–A",
  jobTitle: "Job title A–Z",
  "-jobTitle": "Job title Z–A",
  email: "Email A–Z",
  "-email": "Email Z–A",
  phone: "Phone 0–9",
  "-phone": "Phone 9–0",
  status: "Status, New first",
  "-status": "Status, New last",
  owner: "Owner A–Z",
  "-owner": "Owner Z–A",
  "-lastCall": "Last called first",
  lastCall: "Not called longest",
  nextStep: "Next step A–Z",
  "-nextStep": "Next step Z–A",
  followUp: "Due first",
} as const satisfies Record<LeadSort, string>;
const sorts = LeadSort.options.map((sort) => ({ value: sort, label: sortWords[sort] }));

const choiceLook = "w-36 max-md:w-[calc(50%-4px)]";

function useColleagues() {
  const me = useQuery(meQuery).data?.id;
  const members = useQuery(membersQuery).data ?? [];
  const others = members.filter(({ userId }) => userId !== me);
  return others.map(({ userId, firstName, lastName }) => ({ value: userId, label: `${firstName} ${lastName}` }));
}

const owners = [
  { value: any, label: "Any owner" },
  { value: "me", label: "My leads" },
  { value: "none", label: "Unassigned" },
];

interface LeadFiltersProps {
  filter: LeadFilter;
  onChange: (news: Partial<LeadFilter>) => void;
}

export function LeadFilters({ filter, onChange }: LeadFiltersProps) {
  const colleagues = useColleagues();
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
          placeholder="Name, company, phone"
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
        value={filter.status ?? any}
        onValueChange={(value) => onChange({ status: LeadStatus.safeParse(value).data })}
        className={choiceLook}
      />
      <Select
        aria-label="Owner"
        options={[...owners, ...colleagues]}
        value={filter.owner ?? any}
        onValueChange={(value) => onChange({ owner: LeadConditions.shape.owner.safeParse(value).data })}
        className={choiceLook}
      />
      <Select
        aria-label="Last call"
        options={calls}
        value={filter.called ?? any}
        onValueChange={(value) => onChange({ called: LeadCalled.safeParse(value).data })}
        className={choiceLook}
      />
      <Select
        aria-label="Follow-up"
        options={dues}
        value={filter.due ?? noDue}
        onValueChange={(value) => {
          const due = LeadDue.safeParse(value).data;
          onChange({ due, ...(due === undefined && { followUpOwner: undefined }) });
        }}
        className={choiceLook}
      />
      {filter.due === undefined && filter.followUpOwner === undefined ? null : (
        <Select
          aria-label="Who calls back"
          options={[{ value: any, label: "Any callback owner" }, { value: "me", label: "My callbacks" }, ...colleagues]}
          value={filter.followUpOwner ?? any}
          onValueChange={(value) =>
            onChange({ followUpOwner: LeadConditions.shape.followUpOwner.safeParse(value).data })
          }
          className={choiceLook}
        />
      )}
      <Select
        aria-label="Sort"
        options={sorts}
        value={filter.sort}
        onValueChange={(value) => onChange({ sort: LeadSort.safeParse(value).data ?? "newest" })}
        className={choiceLook}
      />
      <ShortSearch typed={text} />
    </search>
  );
}
