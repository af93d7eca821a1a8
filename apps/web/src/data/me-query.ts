import { getMe } from "@leadline/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => request(getMe, {}, { signal }),
});
