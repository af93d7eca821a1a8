import { getLimits } from "@leadline/contract/limits";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: ({ signal }) => request(getLimits, {}, { signal }),
});
