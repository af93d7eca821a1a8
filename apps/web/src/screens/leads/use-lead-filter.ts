import { LeadCalled, LeadConditions, LeadDue, LeadSort, LeadStatus } from "@leadline/contract/leads";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { conditionsIn, keepFirstPage, type LeadFilter } from "../../data/leads-query.ts";

/** The filter is in the URL, so that Back, a reload and a shared link show the same leads. */
export function useLeadFilter() {
  const given = useSearch({ from: "/signed-in/leads" });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const filter: LeadFilter = {
    search: given.search ?? "",
    status: LeadStatus.safeParse(given.status).data,
    owner: LeadConditions.shape.owner.safeParse(given.owner).data,
    called: LeadCalled.safeParse(given.called).data,
    due: LeadDue.safeParse(given.due).data,
    followUpOwner: LeadConditions.shape.followUpOwner.safeParse(given.followUpOwner).data,
    sort: LeadSort.safeParse(given.sort).data ?? "newest",
  };
  const change = (news: Partial<LeadFilter>): void => {
    const next = { ...filter, ...news };
    const { search, sort } = next;
    keepFirstPage(queryClient, next);
    void navigate({
      to: "/leads",
      search: {
        ...(search === "" ? {} : { search }),
        ...conditionsIn(next),
        ...(sort === "newest" ? {} : { sort }),
      },
      replace: true,
      resetScroll: false,
    });
  };
  return { filter, change };
}
