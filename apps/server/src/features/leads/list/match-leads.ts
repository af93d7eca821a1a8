import type { LeadConditions } from "@leadline/contract/leads";
import type { Tx } from "../../../db/transaction.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { dueTimes } from "./due-times.ts";
import { findLeadPage } from "./find-lead-page.ts";
import { searchPatterns } from "./search-patterns.ts";
import { countLeadsUpTo } from "./lead-conditions.table.ts";

interface Matching {
  organisationId: string;
  search: string;
  conditions: LeadConditions;
}

/** The next matching leads, newest to oldest; `before` is the position of the previous lead. */
export async function matchLeads(
  tx: Tx,
  { organisationId, search, conditions, before, limit }: Matching & { before: number | null; limit: number },
): Promise<{ id: string; position: number }[]> {
  const country = await defaultCountryOf(tx, organisationId);
  return findLeadPage(tx, {
    organisationId,
    sort: "newest",
    conditions,
    times: await dueTimes(tx, organisationId, conditions),
    phone: undefined,
    patterns: searchPatterns(search, { country, beginning: false }),
    after: before === null ? undefined : { position: before, key: null },
    limit,
  });
}

/** Null for a search, which would have to find all matches to count them. */
export async function countMatching(tx: Tx, { organisationId, search, conditions }: Matching, most: number) {
  if (search !== "") return null;
  return countLeadsUpTo(tx, {
    organisationId,
    conditions,
    times: await dueTimes(tx, organisationId, conditions),
    most,
  });
}
