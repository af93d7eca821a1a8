import { LeadSort, LeadStatus } from "@leadline/contract/leads";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { keepFirstPage, type LeadFilter } from "../../data/leads-query.ts";

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
