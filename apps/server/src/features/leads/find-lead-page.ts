import type { Tx } from "../../db/transaction.ts";
import {
  type LeadPage,
  selectFoundLeadPage,
  selectLeadPage,
  selectNearOrFoundLeadPage,
  selectNewestFoundLeadPage,
  walkToLeadPage,
} from "./lead-pages.table.ts";

/** Less than a millisecond of walking; a term that one lead in twenty holds fills a page within it. */
const nearLeads = 1_000;
/** So many of the near leads hold the term that the page is filled within `fartherLeads`, if the rest is like them. */
const enoughNear = 3;
/** Where more of the near leads hold the term, walking to a full page is quicker than reading where a stretch's are. */
const enoughNewest = 10;
const fartherLeads = 60_000;

/**
 * A page of leads. A search first looks at the next thousand in order, which settles common terms and small
 * organisations; where hardly any of them holds the term, the trigram index settles rare and absent ones in the same
 * trip. Between the two it looks farther, as that index is slower the more leads hold the term; of the newest it may be
 * asked for those alone.
 */
export async function findLeadPage(tx: Tx, page: LeadPage): ReturnType<typeof selectLeadPage> {
  // A phone number's leads are few, whatever else they are searched for.
  if (page.patterns.length === 0 || page.phone !== undefined) return selectLeadPage(tx, page);
  const newestMayDo =
    page.sort === "newest" && Object.values(page.conditions).every((condition) => condition === undefined);
  const within = { most: nearLeads, telling: newestMayDo ? 1 : enoughNear };
  const { rows, isWhole } = await selectNearOrFoundLeadPage(tx, page, within);
  if (isWhole) return rows;
  const nearer =
    newestMayDo && rows.length < enoughNewest
      ? await selectNewestFoundLeadPage(tx, page)
      : await walkToLeadPage(tx, page, fartherLeads);
  return nearer ?? selectFoundLeadPage(tx, page);
}
