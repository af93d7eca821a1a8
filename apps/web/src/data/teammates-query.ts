import { listTeammates } from "@leadline/contract/transfers";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

/** There is no event when a teammate opens or closes Leadline. */
const readAgainMs = 5_000;

/** The other members of the organisation, and which of them can take a call now. */
export const teammatesQuery = queryOptions({
  queryKey: ["teammates"],
  queryFn: ({ signal }) => request(listTeammates, {}, { signal }),
  staleTime: 0,
  refetchInterval: readAgainMs,
});
