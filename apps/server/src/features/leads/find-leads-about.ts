import type { Tx } from "../../db/transaction.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { findLeadPositions, selectIdsAt } from "./lead-pages.table.ts";
import { searchPatterns } from "./search-patterns.ts";

/** So many are looked up one by one in a few milliseconds. */
const mostLeads = 1_000;

interface FoundLeads {
  /** LIKE patterns, all of which their search text holds. */
  patterns: string[];
  /** With their numbers as E.164; null where more are found than it pays to look up one by one. */
  leads: { ids: string[]; numbers: string[] } | null;
}

/** Whom what was typed is about: the leads that a search for it finds. Null where it is too short to search. */
export async function findLeadsAbout(
  tx: Tx,
  search: { organisationId: string; typed: string },
): Promise<FoundLeads | null> {
  const { organisationId } = search;
  const patterns = searchPatterns(search.typed, {
    country: await defaultCountryOf(tx, organisationId),
    beginning: false,
  });
  if (patterns.length === 0) return null;
  const positions = await findLeadPositions(tx, patterns, mostLeads);
  return { patterns, leads: positions && (await selectIdsAt(tx, { organisationId, positions })) };
}
