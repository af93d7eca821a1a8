import type { Tx } from "../../../db/transaction.ts";
import {
  type LeadPage,
  selectFoundLeadPage,
  selectLeadPage,
  selectNearOrFoundLeadPage,
  selectNewestFoundLeadPage,
  walkToLeadPage,
} from "./lead-pages.table.ts";

/** Takes under a millisecond to scan; a term that one lead in twenty contains fills a page within it. */
const nearLeads = 1_000;
/** With this many matches among the near leads, `fartherLeads` probably fill the page. */
const enoughNear = 3;
/** With more matches among the near leads, walking to a full page is faster than reading a stretch of the index. */
const enoughNewest = 10;
const fartherLeads = 60_000;

/**
 * A page of leads. A search first walks the next thousand in order, which is enough for common terms and small
 * organisations. If few of them match, the trigram index finds rare and missing terms in the same round trip. In
 * between it walks farther, because the index is slower the more leads match; for the newest leads the index can be
 * limited to a stretch.
 */
export async function findLeadPage(tx: Tx, page: LeadPage): ReturnType<typeof selectLeadPage> {
  // Few leads have a given phone number, whatever else the search contains.
  if (page.patterns.length === 0 || page.phone !== undefined) return selectLeadPage(tx, page);
  const newestMayDo =
    page.sort === "newest" && Object.values(page.conditions).every((condition) => condition === undefined);
  const within = { most: nearLeads, enough: newestMayDo ? 1 : enoughNear };
  const { rows, isWhole } = await selectNearOrFoundLeadPage(tx, page, within);
  if (isWhole) return rows;
  const nearer =
    newestMayDo && rows.length < enoughNewest
      ? await selectNewestFoundLeadPage(tx, page)
      : await walkToLeadPage(tx, page, fartherLeads);
  return nearer ?? selectFoundLeadPage(tx, page);
}
