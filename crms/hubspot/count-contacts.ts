import { z } from "zod";
import type { ContactRecord } from "./mapping.ts";

/** Changes become searchable with a delay, so the next read starts this far back. */
export const lagMs = 120_000;
/** Even if the numbers hide a deletion, because as many contacts were restored, it is found within a day. */
const longestMs = 86_400_000;
const mostRecent = 500;

export const Ids = z.array(z.string().regex(/^\d{1,20}$/));

/** What the last reading counted. */
export const Counted = z.object({
  contacts: z.int(),
  /** Contacts archived before are known. */
  archivedMs: z.int(),
  /** The newest of them, which the next reading finds again. */
  recent: Ids,
});
export type Counted = z.output<typeof Counted>;

/** What a reading has found so far: contacts created since the last one, and the newest of them. */
export const Created = z.object({ created: z.int().default(0), recent: Ids.default([]) });
export type Created = z.output<typeof Created>;

export function countCreated(
  found: readonly ContactRecord[],
  so: Created & { startedMs: number },
  last: { settledMs: number; counted: Counted | null },
): Created {
  const since = (ms: number) => found.filter(({ createdAt = "" }) => Date.parse(createdAt) >= ms).map(({ id }) => id);
  const isKnown = new Set(last.counted?.recent);
  const created = so.created + since(last.settledMs).filter((id) => !isKnown.has(id)).length;
  const recent = [...new Set([...so.recent, ...since(so.startedMs - lagMs)])];
  return { created, recent: recent.slice(0, mostRecent) };
}

/**
 * Whether contacts have been archived since the last reading. HubSpot lists archived contacts without an order or a
 * filter by time, so they are only listed if the number of the others has fallen.
 */
export function someAreGone(
  counted: Counted | null,
  { contacts, created, startedMs }: { contacts: number; created: number; startedMs: number },
): boolean {
  if (counted === null) return true;
  return counted.contacts + created > contacts || startedMs - counted.archivedMs > longestMs;
}
