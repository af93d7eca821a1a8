import { CrmError, type CrmGrant, type CrmLeadPage, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import { largerPage, nothingRead, smallerPage } from "@leadline/adapter-kit/page-size";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { Item, readItem } from "./mapping.ts";
import { appIdOf } from "./sources.ts";
import { shownAt } from "./workspace.ts";

/** At first Podio's maximum, because filtering is its most strictly limited request. Smaller after a page that was too much. */
const pageSizes = { most: 500, least: 10 };
/** How far a page overlaps the previous one: this many items may be deleted between two pages without extra requests. */
const overlapOf = (size: number): number => Math.min(20, Math.floor(size / 5));
/** Times are in whole seconds, and an edit may appear a moment later; the next read starts this much earlier. */
const lagMs = 60_000;

const Under = { startedMs: z.int(), offset: z.int().nonnegative() };
const Reading = z.discriminatedUnion("step", [
  /** First: every item, in the order of ids. */
  z.object({ step: z.literal("all"), ...Under, lastId: z.int() }),
  /** Latest changes first, back to what was known. `seen`: the ids with the latest time. */
  z.object({ step: z.literal("changed"), ...Under, lastMs: z.int(), seen: z.array(z.int()) }),
]);
type Reading = z.output<typeof Reading>;
const Cursor = z.object({
  source: z.string(),
  /** Changes are known up to here; null before the first reading has completed. */
  settledMs: z.int().nullable(),
  /** Of the next page. */
  size: z.int().min(pageSizes.least).max(pageSizes.most).default(pageSizes.most),
  reading: Reading.nullable(),
});
type Cursor = z.output<typeof Cursor>;

const FilterAnswer = z.object({ filtered: z.int(), items: z.array(Item) });
interface Page {
  items: Item[];
  /** Of the first item. */
  from: number;
  filtered: number;
  atMs: number;
  isLast: boolean;
}
interface Asked {
  grant: CrmGrant;
  appId: number;
  sortBy: "item_id" | "last_edit_on";
  size: number;
}

/**
 * First reads every item, by id, later those edited last, back to what is known. Podio counts pages from the start, so
 * a deleted item moves others past the reader. Each page therefore overlaps the previous one, and reaches further back
 * until they meet.
 */
export function createLeadReader(api: Api, sandbox: CrmSandbox | null) {
  function toPage(grant: CrmGrant, mapping: CrmMapping, items: readonly Item[]) {
    const urlOf = ({ link }: Item) => (link === null ? null : shownAt(grant, sandbox, link));
    return { ...sortOut(items.map((item) => readItem(item, mapping, urlOf(item)))), deleted: [] };
  }

  async function ask({ grant, appId, sortBy, size }: Asked, from: number): Promise<Page> {
    const isNewestFirst = sortBy === "last_edit_on";
    const body = { sort_by: sortBy, sort_desc: isNewestFirst, limit: size, offset: from, remember: false };
    const answer = await api.ask(FilterAnswer, { grant, path: `/item/app/${appId}/filter/`, body });
    const { items, filtered } = answer.body;
    const isLast = items.length === 0 || from + items.length >= filtered;
    return { items, from, filtered, atMs: answer.at.getTime(), isLast };
  }

  /** A page that starts no later than the previous one ended. */
  async function join(asked: Asked, offset: number, meets: (first: Item) => boolean): Promise<Page> {
    for (let back = overlapOf(asked.size); ; back *= 10) {
      const page = await ask(asked, Math.max(0, offset - back));
      const [first] = page.items;
      if (page.from === 0 || (first !== undefined && meets(first))) return page;
    }
  }

  async function readAll(
    grant: CrmGrant,
    mapping: CrmMapping,
    { size, reading }: { size: number; reading: Reading & { step: "all" } },
  ) {
    const { lastId, offset } = reading;
    const asked: Asked = { grant, appId: appIdOf(mapping.source), sortBy: "item_id", size };
    const page = await join(asked, offset, ({ id }) => id <= lastId);
    const startedMs = reading.startedMs || page.atMs;
    const fresh = page.items.filter(({ id }) => id > lastId);
    const answer = { ...toPage(grant, mapping, fresh), total: page.filtered };
    const next = {
      step: "all",
      startedMs,
      offset: page.from + page.items.length,
      lastId: Math.max(lastId, page.items.at(-1)?.id ?? lastId),
    } as const;
    return { ...answer, ...endOrGoOn(mapping, { settledMs: null, size, next, done: page.isLast }) };
  }

  async function readChanged(
    grant: CrmGrant,
    mapping: CrmMapping,
    given: { settledMs: number; size: number; reading: Reading & { step: "changed" } },
  ) {
    const { settledMs, size, reading } = given;
    const asked: Asked = { grant, appId: appIdOf(mapping.source), sortBy: "last_edit_on", size };
    const page = await join(asked, reading.offset, (first) => editedMs(first) >= reading.lastMs);
    const startedMs = reading.startedMs || page.atMs;
    const fresh = page.items.filter((item) => editedMs(item) >= settledMs && !reading.seen.includes(item.id));
    const last = page.items.at(-1);
    const next = {
      step: "changed",
      startedMs,
      offset: page.from + page.items.length,
      lastMs: last === undefined ? reading.lastMs : editedMs(last),
      seen: page.items.slice(-overlapOf(size)).map(({ id }) => id),
    } as const;
    const done = page.isLast || (last !== undefined && editedMs(last) < settledMs);
    return { ...toPage(grant, mapping, fresh), total: null, ...endOrGoOn(mapping, { settledMs, size, next, done }) };
  }

  function readNext(grant: CrmGrant, { settledMs, size, reading }: Cursor, mapping: CrmMapping): Promise<CrmLeadPage> {
    if (settledMs === null) {
      const first = { step: "all", startedMs: 0, offset: 0, lastId: 0 } as const;
      return readAll(grant, mapping, { size, reading: reading?.step === "all" ? reading : first });
    }
    const first = { step: "changed", startedMs: 0, offset: 0, lastMs: 0, seen: [] as number[] } as const;
    const known = reading?.step === "changed" ? reading : { ...first, seen: [] };
    return readChanged(grant, mapping, { settledMs, size, reading: known });
  }

  return async (grant: CrmGrant, text: string | null, mapping: CrmMapping | null): Promise<CrmLeadPage> => {
    if (mapping === null) throw new CrmError("refused", "Choose which app to read first.");
    const cursor = read(text, mapping.source);
    try {
      return await readNext(grant, cursor, mapping);
    } catch (error) {
      const size = smallerPage(error, { size: cursor.size, least: pageSizes.least });
      return { ...nothingRead, cursor: write({ ...cursor, size }) };
    }
  };
}

/** The next read starts from what was certainly seen when this one began. */
function endOrGoOn(
  { source }: CrmMapping,
  given: { settledMs: number | null; size: number; next: Reading; done: boolean },
): { cursor: string; done: boolean } {
  const { settledMs, next, done } = given;
  const size = largerPage(given.size, pageSizes.most);
  const cursor = done
    ? { source, settledMs: next.startedMs - lagMs, size, reading: null }
    : { source, settledMs, size, reading: next };
  return { cursor: write(cursor), done };
}

const write = (cursor: Cursor): string => JSON.stringify(cursor);

function editedMs(item: Item): number {
  if (item.editedMs !== null) return item.editedMs;
  throw new CrmError("refused", "Podio didn’t return an item’s time of change.");
}

function read(text: string | null, source: string): Cursor {
  const fresh: Cursor = { source, settledMs: null, size: pageSizes.most, reading: null };
  if (text === null) return fresh;
  const parsed = Cursor.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new CrmError("refused", "Leadline lost its place in Podio. Choose what to sync once more.");
  return parsed.data.source === source ? parsed.data : fresh;
}
