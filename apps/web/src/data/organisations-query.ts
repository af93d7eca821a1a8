import { listOrganisations } from "@leadline/contract/organisations";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const organisationsQuery = queryOptions({
  queryKey: ["organisations"],
  queryFn: ({ signal }) => request(listOrganisations, {}, { signal }),
});
