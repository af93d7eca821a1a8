import { listLeads } from "@leadline/contract/leads";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

const shown = 5;

/** The leads that fit what stands on the pad. */
export const contactsQuery = (search: string) =>
  queryOptions({
    queryKey: ["leads", "contacts", search],
    queryFn: ({ signal }) => request(listLeads, { query: { search, limit: shown } }, { signal }),
  });
