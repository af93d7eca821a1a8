import { setActiveOrganisation } from "@leadline/contract/users";
import { pageOrganisation } from "./page-organisation.ts";
import { request } from "./api-client.ts";
import { meQuery } from "./me-query.ts";
import { organisationsQuery } from "./organisations-query.ts";
import { queryClient } from "./query-client.ts";

/** Switches the active organisation and drops what was read in the old one. */
export async function switchOrganisation(id: string): Promise<void> {
  const me = await request(setActiveOrganisation, { params: { id } });
  pageOrganisation.set(id);
  queryClient.setQueryData(meQuery.queryKey, me);
  await dropWhatWasRead();
}

/** Switches back to the organisation that the page still shows: its data and input are kept. */
export async function returnToOrganisation(id: string): Promise<void> {
  queryClient.setQueryData(meQuery.queryKey, await request(setActiveOrganisation, { params: { id } }));
  await queryClient.invalidateQueries();
}

export const dropWhatWasRead = (): Promise<void> =>
  queryClient.resetQueries({
    predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] && queryKey[0] !== organisationsQuery.queryKey[0],
  });
