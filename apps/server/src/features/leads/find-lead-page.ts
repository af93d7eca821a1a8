import type { Tx } from "../../db/transaction.ts";
import {
  findLeadPositions,
  type LeadPage,
  selectLeadPage,
  selectLeadsAt,
  selectNearLeadPage,
  walkToLeadPage,
} from "./lead-pages.table.ts";

/** Some 3 ms of walking; a term that more than one lead in a hundred holds fills a page within it. */
const nearLeads = 4_000;
/** So many of the near leads hold the term that the page is filled within `fartherLeads`, if the rest is like them. */
const telling = 5;
const fartherLeads = 60_000;
/** So many are sorted in a few milliseconds. */
const mostSorted = 1_000;

/**
 * A page of leads. A search first looks at the next few thousand in order, which settles common terms and small
 * organisations, and farther where some were found; then the trigram index, which settles rare and absent terms and is slow
 * for common ones; what is left is common enough to walk to.
 */
export async function findLeadPage(tx: Tx, page: LeadPage): ReturnType<typeof selectLeadPage> {
  // A phone number's leads are few, whatever else they are searched for.
  if (page.patterns.length === 0 || page.phone !== undefined) return selectLeadPage(tx, page);
  const near = await selectNearLeadPage(tx, page, nearLeads);
  if (near.isWhole) return near.rows();
  if (near.found >= telling) {
    const positions = await walkToLeadPage(tx, page, fartherLeads);
    if (positions !== null) return selectLeadsAt(tx, page, positions);
  }
  const positions = await findLeadPositions(tx, page.patterns, mostSorted);
  return positions === null ? selectLeadPage(tx, page) : selectLeadsAt(tx, page, positions);
}
