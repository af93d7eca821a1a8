import { listFollowUps } from "@leadline/contract/follow-ups";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const followUpsKey = ["follow-ups"] as const;

export const followUpsQuery = (asked: { until?: string; limit: number }) =>
  queryOptions({
    queryKey: [...followUpsKey, asked],
    queryFn: ({ signal }) => request(listFollowUps, { query: asked }, { signal }),
  });
