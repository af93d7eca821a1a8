import { readLeadTimeline } from "@leadline/contract/lead-timeline";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { requestPage } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

export const leadTimelinesKey = [...leadsKey, "timeline"] as const;

export const leadTimelineQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...leadTimelinesKey, id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      requestPage(readLeadTimeline, { params: { id }, query: pageParam ? { after: pageParam } : {} }, { signal }),
    getNextPageParam: (page) => page.next?.get("after") ?? undefined,
    // Calls and notes also come from elsewhere.
    staleTime: 0,
  });
