import { readCallerIds } from "@leadline/contract/caller-ids";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { phoneNumbersKey } from "./phone-numbers-query.ts";
import { carrierMayChangeMs } from "./rates-query.ts";

/** What callees can see, and what this callee (E.164) sees if the user chooses nothing; null: no callee yet. */
export const callerIdsQuery = (to: string | null) =>
  queryOptions({
    queryKey: [...phoneNumbersKey, "caller-ids", to],
    queryFn: ({ signal }) => request(readCallerIds, { query: to === null ? {} : { phoneNumber: to } }, { signal }),
    // If a carrier is down, the choice is left out.
    retry: false,
    staleTime: 15_000,
    refetchInterval: carrierMayChangeMs,
  });
