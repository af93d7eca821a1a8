import type { Tx } from "../../db/transaction.ts";
import { findLeadPositions, selectNumbersAt } from "./lead-pages.table.ts";
import { searchPatterns } from "./search-patterns.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";

/** So many are looked up one by one in a few milliseconds. */
const mostNumbers = 1_000;

interface FoundNumbers {
  patterns: string[];
  /** E.164; null where more leads are found than it pays to look up one by one. */
  numbers: string[] | null;
}

/** Whose numbers what was typed is about: the leads that a search for it finds. Null where it is too short to search. */
export async function findNumbersOfLeads(
  tx: Tx,
  search: { organisationId: string; typed: string },
): Promise<FoundNumbers | null> {
  const country = await defaultCountryOf(tx, search.organisationId);
  const patterns = searchPatterns(search.typed, { country, beginning: false });
  if (patterns.length === 0) return null;
  const positions = await findLeadPositions(tx, patterns, mostNumbers);
  const numbers = positions && (await selectNumbersAt(tx, { organisationId: search.organisationId, positions }));
  return { patterns, numbers };
}
