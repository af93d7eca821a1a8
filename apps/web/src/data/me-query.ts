import { getMe } from "@leadline/contract/users";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { meKey } from "./me-key.ts";

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => request(getMe, {}, { signal }),
});
