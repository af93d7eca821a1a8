import { getLimits, listLimitBreaches, listMemberLimits } from "@leadline/contract/limits";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: ({ signal }) => request(getLimits, {}, { signal }),
});

/** For admins only, as is the next. */
export const memberLimitsQuery = queryOptions({
  queryKey: ["member-limits"],
  queryFn: ({ signal }) => request(listMemberLimits, {}, { signal }),
});

export const limitBreachesQuery = queryOptions({
  queryKey: ["limit-breaches"],
  queryFn: ({ signal }) => request(listLimitBreaches, {}, { signal }),
});
