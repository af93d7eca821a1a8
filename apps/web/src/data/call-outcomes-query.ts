import { listCallOutcomes } from "@leadline/contract/call-outcomes";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const callOutcomesQuery = queryOptions({
  queryKey: ["call-outcomes"],
  queryFn: ({ signal }) => request(listCallOutcomes, {}, { signal }),
});
