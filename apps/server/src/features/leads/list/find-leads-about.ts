import type { Tx } from "../../../db/transaction.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { findLeadPositions, selectIdsAt } from "./lead-pages.table.ts";
import { searchPatterns } from "./search-patterns.ts";

/** This many leads can be looked up by id in a few milliseconds. */
const maxLeads = 1_000;

interface FoundLeads {
  /** LIKE patterns, all of which their search text must match. */
  patterns: string[];
  /** With their numbers in E.164. Null if there are too many to look up by id. */
  leads: { ids: string[]; numbers: string[] } | null;
}

/** The leads that a search for the typed text finds. Null if it is too short to search. */
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
  const positions = await findLeadPositions(tx, patterns, maxLeads);
  return { patterns, leads: positions && (await selectIdsAt(tx, { organisationId, positions })) };
}
