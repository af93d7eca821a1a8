import { readStatistics } from "@leadline/contract/statistics";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** Separate from the calls' key: a note typed during a call must not recount a month's calls every second. */
export const statisticsKey = ["statistics"] as const;

interface StatisticsAsked {
  from: string;
  to: string;
  timeZone: string;
  userId?: string;
}

export const statisticsQuery = (asked: StatisticsAsked) =>
  queryOptions({
    queryKey: [...statisticsKey, asked],
    queryFn: ({ signal }) => request(readStatistics, { query: asked }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
