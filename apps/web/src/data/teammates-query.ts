import { listTeammates } from "@leadline/contract/transfers";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** No event tells who opens or closes Leadline. */
const readAgainMs = 5_000;

/** The others of the organisation, and who of them can take a call now. */
export const teammatesQuery = queryOptions({
  queryKey: ["teammates"],
  queryFn: ({ signal }) => request(listTeammates, {}, { signal }),
  staleTime: 0,
  refetchInterval: readAgainMs,
});
