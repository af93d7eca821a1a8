import type { CrmGrant } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { ContactRecord, propertiesFor } from "./mapping.ts";

const contactsPath = "/crm/v3/objects/contacts";
/** How many contacts a search asks for, and a list half as many: at first HubSpot's maximum, fewer after a page that was too much. */
export const searchSizes = { most: 200, least: 10 };

/** Whose contacts, which properties, and how many in a search. */
export interface From {
  grant: CrmGrant;
  mapping: CrmMapping;
  size: number;
}

const ListAnswer = z.object({
  results: z.array(ContactRecord),
  paging: z.object({ next: z.object({ after: z.string().regex(/^\w+$/) }).optional() }).optional(),
});
const SearchAnswer = z.object({ total: z.int(), results: z.array(ContactRecord) });

/** The requests that read contacts. */
export function createContactRequests(api: Api) {
  /** How many contacts there are, which the list doesn't contain, and the vendor's time. */
  async function count({ grant }: From): Promise<{ startedMs: number; total: number }> {
    const body = { limit: 1, properties: [], filterGroups: [] };
    const answer = await api.ask(SearchAnswer, { grant, path: `${contactsPath}/search`, body });
    return { startedMs: answer.at.getTime(), total: answer.body.total };
  }

  async function list(from: From, asked: { after: string | null; archived: boolean }) {
    const limit = String(Math.ceil(from.size / 2));
    const query = new URLSearchParams({ limit, properties: propertiesFor(from.mapping).join(",") });
    if (asked.after !== null) query.set("after", asked.after);
    if (asked.archived) query.set("archived", "true");
    const answer = await api.ask(ListAnswer, { grant: from.grant, path: contactsPath, query });
    const next = answer.body.paging?.next?.after;
    // A page that leads to itself has no end.
    if (next !== undefined && next === asked.after) throw api.unreadable();
    return answer;
  }

  async function search(from: From, filters: object[], sortBy: string) {
    const sorts = [{ propertyName: sortBy, direction: "ASCENDING" }];
    const body = { limit: from.size, properties: propertiesFor(from.mapping), filterGroups: [{ filters }], sorts };
    const answer = await api.ask(SearchAnswer, { grant: from.grant, path: `${contactsPath}/search`, body });
    const { results: found, total } = answer.body;
    return { found, isLast: found.length < from.size, total, atMs: answer.at.getTime() };
  }

  return { count, list, search };
}
