import { listFollowUps } from "@leadline/contract/follow-ups";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

/** Below the leads' key: a changed lead may have another callback day, or none. */
export const followUpsKey = [...leadsKey, "follow-ups"] as const;

export const followUpsQuery = (asked: { limit: number; owner?: "me" }) =>
  queryOptions({
    queryKey: [...followUpsKey, asked],
    queryFn: ({ signal }) => request(listFollowUps, { query: asked }, { signal }),
  });
