import { listLeads } from "@leadline/contract/leads";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { leadsKey } from "./leads-query.ts";

/** More than are shown, since they are ranked here. */
const most = 20;
const enough = 5;

/**
 * The leads that match the text on the pad, with matches at the start of a word even if there are thousands of others.
 */
export const contactsQuery = (search: string) =>
  queryOptions({
    queryKey: [...leadsKey, "contacts", search],
    async queryFn({ signal }) {
      const ask = (match: "beginning" | "anywhere") =>
        request(listLeads, { query: { search, match, limit: most } }, { signal });
      // Digits match anywhere in a number.
      const beginning = /\p{L}/u.test(search) ? await ask("beginning") : [];
      if (beginning.length >= enough) return beginning;
      const known = new Set(beginning.map(({ id }) => id));
      return [...beginning, ...(await ask("anywhere")).filter(({ id }) => !known.has(id))];
    },
  });
