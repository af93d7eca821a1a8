import { LeadSort, LeadStatus } from "@leadline/contract/leads";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { keepFirstPage, type LeadFilter } from "../../data/leads-query.ts";

const typingPauseMs = 200;

/** The filter lives in the address, so that Back, a reload and a shared link show the same leads. */
export function useLeadFilter() {
  const given = useSearch({ from: "/signed-in/leads" });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const filter: LeadFilter = {
    search: given.search ?? "",
    status: LeadStatus.options.find((status) => status === given.status),
    sort: LeadSort.options.find((sort) => sort === given.sort) ?? "newest",
  };
  const change = (news: Partial<LeadFilter>): void => {
    const next = { ...filter, ...news };
    const { search, status, sort } = next;
    keepFirstPage(queryClient, next);
    void navigate({
      to: "/leads",
      search: {
        ...(search === "" ? {} : { search }),
        ...(status ? { status } : {}),
        ...(sort === "newest" ? {} : { sort }),
      },
      replace: true,
      resetScroll: false,
    });
  };
  return { filter, change };
}

/** What stands in the search box, handed on when the typing pauses. */
export function useSearchText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const [handedOn, setHandedOn] = useState(search);
  // Changed elsewhere: by Back, or by clearing the filter.
  if (search !== handedOn) {
    setHandedOn(search);
    setText(search);
  }
  useEffect(() => {
    if (text === handedOn) return;
    const timer = setTimeout(() => {
      setHandedOn(text);
      onSearch(text);
    }, typingPauseMs);
    return () => clearTimeout(timer);
  });
  return [text, setText] as const;
}
