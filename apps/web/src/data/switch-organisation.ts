import { setActiveOrganisation } from "@leadline/contract/users";
import { request } from "./api-client.ts";
import { meQuery } from "./me-query.ts";
import { organisationsQuery } from "./organisations-query.ts";
import { queryClient } from "./query-client.ts";

/** Acts inside another organisation from now on; what was read in the old one is dropped. */
export async function switchOrganisation(id: string): Promise<void> {
  const me = await request(setActiveOrganisation, { params: { id } });
  queryClient.setQueryData(meQuery.queryKey, me);
  await queryClient.resetQueries({
    predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] && queryKey[0] !== organisationsQuery.queryKey[0],
  });
}
