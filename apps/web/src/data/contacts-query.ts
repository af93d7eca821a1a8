import { listLeads } from "@leadline/contract/leads";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

const shown = 5;

/** The leads that fit what stands on the pad. */
export const contactsQuery = (search: string) =>
  queryOptions({
    queryKey: [...leadsKey, "contacts", search],
    queryFn: ({ signal }) => request(listLeads, { query: { search, limit: shown } }, { signal }),
  });
