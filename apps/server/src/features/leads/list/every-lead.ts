import type { Lead, LeadConditions, LeadSort } from "@leadline/contract/leads";
import type { Database } from "../../../db/database.ts";
import type { Member } from "../../../http/route.ts";
import { listLeads } from "./list-leads.ts";

const leadsAPage = 1_000;

export interface LeadChoice extends LeadConditions {
  search?: string | undefined;
  sort: LeadSort;
}

/** The organisation's leads, or a selection, page by page, so that a slow reader doesn't hold a transaction open. */
export async function* everyLead(database: Database, caller: Member, choice: LeadChoice): AsyncGenerator<Lead[]> {
  let after: string | undefined;
  do {
    const query = { ...choice, match: "anywhere", limit: leadsAPage, after } as const;
    const { leads, next } = await listLeads(database, { caller, query });
    yield leads;
    after = new URLSearchParams(next ?? "").get("after") ?? undefined;
  } while (after !== undefined);
}
