import type { CrmLimit, CrmLeadPage } from "@leadline/adapter-kit/crm";
import type { RequestLimit } from "@leadline/contract/integrations";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** From here on, the rest is left to finished calls and the customer's other apps. */
const scarceShare = 0.1;
const shortestPauseMs = 10_000;

/** For people. Null for shorter windows, which are over before someone reads it. */
export function toRequestLimit(limit: CrmLimit | null): RequestLimit | null {
  if (limit === null || limit.windowMs < hourMs) return null;
  const { left, most, windowMs } = limit;
  return { left, most, per: windowMs < dayMs ? "hour" : "day", readAt: new Date().toISOString() };
}

/** How many more requests leave that rest. One, if the CRM hasn't said lately. */
export const requestsToSpare = (limit: CrmLimit | null): number =>
  limit === null ? 1 : Math.max(1, Math.floor(limit.left - limit.most * scarceShare));

/** The pause after a page if few requests are left: the sync slows down, and never uses them up. */
export function pauseFor(limit: CrmLimit | null, crmName: string): NonNullable<CrmLeadPage["wait"]> | null {
  if (limit === null || limit.left >= limit.most * scarceShare) return null;
  const ms = Math.max(shortestPauseMs, limit.windowMs / 96);
  const shown = toRequestLimit(limit);
  if (shown === null) return { ms, why: `${crmName} asks to slow down.` };
  const [left, most] = [limit.left.toLocaleString("en"), limit.most.toLocaleString("en")];
  const when = shown.per === "day" ? "today" : "this hour";
  return { ms, why: `Only ${left} of ${most} ${crmName} requests are left ${when}, so the sync has slowed down.` };
}
