import { CrmError, type CrmGrant, type CrmLeadPage, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import { largerPage, nothingRead, smallerPage } from "@leadline/adapter-kit/page-size";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { countCreated, Counted, Created, Ids, lagMs, someAreGone } from "./count-contacts.ts";
import { ContactRecord, defaultMapping, isOwned, mergedInto, readContact } from "./mapping.ts";
import { createOwnerReader } from "./read-owners.ts";
import { createContactRequests, type From, searchSizes } from "./request-contacts.ts";
import { contactUrl } from "./workspace.ts";

const Reading = z.discriminatedUnion("step", [
  /** First: every contact, in the order of ids. */
  z.object({ step: z.literal("all"), after: z.string().nullable() }),
  /** Changed at `fromMs` or later, in the order of time. `seen`: those of that time that were already read. */
  z.object({ step: z.literal("changed"), fromMs: z.int(), seen: Ids }),
  /** More than a page with the same time, as after an import: in the order of ids. */
  z.object({ step: z.literal("tied"), atMs: z.int(), afterId: z.string().regex(/^\d{1,20}$/) }),
  /** `contacts`: how many others there are. Missing from cursors of earlier versions. */
  z.object({ step: z.literal("archived"), after: z.string().nullable(), contacts: z.int().nullable().default(null) }),
]);
type Reading = z.output<typeof Reading>;

const Under = Created.extend({ startedMs: z.int(), total: z.int().nullable() });
type Under = z.output<typeof Under>;
const Cursor = z.object({
  /** Changes are known up to here; null before the first reading has completed. */
  settledMs: z.int().nullable(),
  counted: Counted.nullable().default(null),
  /** Of the next page. */
  size: z.int().min(searchSizes.least).max(searchSizes.most).default(searchSizes.most),
  reading: z.intersection(Reading, Under).nullable(),
});
type Cursor = z.output<typeof Cursor>;
type Place = Omit<Cursor, "size">;
type Page = Omit<CrmLeadPage, "cursor"> & { place: Place };
/** What the reading before this one left. */
interface Last {
  settledMs: number;
  counted: Counted | null;
}
/**
 * First reads every contact, later those changed, in order of time, then archived ones if there are any. Searches aren't
 * paged: pages are counted from the start, so a contact that changes meanwhile would move another past the reader, and
 * they end at 10,000. Each page is a new search from the last contact's time.
 */
export function createLeadReader(api: Api, sandbox: CrmSandbox | null) {
  const readOwners = createOwnerReader(api);
  const { count, list, search } = createContactRequests(api);

  async function toPage(from: From, records: ContactRecord[], total: number | null) {
    const owners = records.some(isOwned) ? await readOwners(from.grant) : new Map();
    const contacts = records.map((record) =>
      readContact(record, { url: contactUrl(from.grant, sandbox, record.id), owners, mapping: from.mapping }),
    );
    return { ...sortOut(contacts), deleted: [], total };
  }

  async function readAll(from: From, under: Under | null, after: string | null): Promise<Page> {
    const known = under ?? { ...(await count(from)), created: 0, recent: [] };
    const { body } = await list(from, { after, archived: false });
    const next = body.paging?.next?.after ?? null;
    const page = await toPage(from, body.results, known.total);
    if (next !== null) return { ...page, done: false, place: placeAt(null, { ...known, step: "all", after: next }) };
    const archivedMs = known.startedMs - lagMs;
    const counted = known.total === null ? null : { contacts: known.total, archivedMs, recent: [] };
    return { ...page, done: true, place: settled(known.startedMs, counted) };
  }

  /** Ends a reading of changes, unless contacts are gone, which are read next. */
  async function end(from: From, last: Last, under: Under): Promise<Pick<Page, "done" | "place">> {
    const { startedMs, created, recent } = under;
    const { total: contacts } = await count(from);
    if (someAreGone(last.counted, { contacts, created, startedMs }))
      return { done: false, place: placeAt(last, { ...under, step: "archived", after: null, contacts }) };
    const archivedMs = last.counted?.archivedMs ?? last.settledMs;
    return { done: true, place: settled(startedMs, { contacts, archivedMs, recent }) };
  }

  async function readChanged(
    from: From,
    last: Last,
    given: { under: Under | null; fromMs: number; seen: string[] },
  ): Promise<Page> {
    const { fromMs, seen } = given;
    const filters = [{ propertyName: "lastmodifieddate", operator: "GTE", value: String(fromMs) }];
    const { found, isLast, total, atMs } = await search(from, filters, "lastmodifieddate");
    const known = given.under ?? { startedMs: atMs, total, created: 0, recent: [] };
    // A contact that has changed again has a later time, and is read again.
    const fresh = found.filter((one) => !(timeOf(one) === fromMs && seen.includes(one.id)));
    const under = { ...known, ...countCreated(fresh, known, last) };
    const page = { ...(await toPage(from, fresh, under.total)), deleted: fresh.flatMap(mergedInto), done: false };
    if (isLast) return { ...page, ...(await end(from, last, under)) };
    const lastMs = timeOf(found.at(-1));
    if (lastMs === fromMs)
      return { ...page, place: placeAt(last, { ...under, step: "tied", atMs: fromMs, afterId: "0" }) };
    const tied = found.filter((one) => timeOf(one) === lastMs).map(({ id }) => id);
    return { ...page, place: placeAt(last, { ...under, step: "changed", fromMs: lastMs, seen: tied }) };
  }

  async function readTied(
    from: From,
    last: Last,
    given: { under: Under; atMs: number; afterId: string },
  ): Promise<Page> {
    const { atMs, afterId } = given;
    const filters = [
      { propertyName: "lastmodifieddate", operator: "EQ", value: String(atMs) },
      { propertyName: "hs_object_id", operator: "GT", value: afterId },
    ];
    const { found, isLast } = await search(from, filters, "hs_object_id");
    const next: Reading = isLast
      ? { step: "changed", fromMs: atMs + 1, seen: [] }
      : { step: "tied", atMs, afterId: found.at(-1)?.id ?? afterId };
    const under = { ...given.under, ...countCreated(found, given.under, last) };
    const page = { ...(await toPage(from, found, under.total)), deleted: found.flatMap(mergedInto), done: false };
    return { ...page, place: placeAt(last, { ...under, ...next }) };
  }

  async function readArchived(
    from: From,
    last: Last,
    { under, after, contacts }: { under: Under; after: string | null; contacts: number | null },
  ): Promise<Page> {
    const { body } = await list(from, { after, archived: true });
    const sinceMs = last.counted?.archivedMs ?? last.settledMs;
    const deleted = body.results
      .filter(({ archivedAt }) => archivedAt !== undefined && Date.parse(archivedAt) >= sinceMs)
      .map(({ id }) => id);
    const page = { leads: [], leftOut: [], total: under.total, deleted };
    const next = body.paging?.next?.after ?? null;
    if (next !== null)
      return { ...page, done: false, place: placeAt(last, { ...under, step: "archived", after: next, contacts }) };
    const { startedMs, recent } = under;
    const counted = contacts === null ? null : { contacts, archivedMs: startedMs - lagMs, recent };
    return { ...page, done: true, place: settled(startedMs, counted) };
  }

  function readNext(asked: From, { settledMs, counted, reading }: Place): Promise<Page> {
    if (settledMs === null) return readAll(asked, reading, reading?.step === "all" ? reading.after : null);
    const last = { settledMs, counted };
    if (reading === null) return readChanged(asked, last, { under: null, fromMs: settledMs, seen: [] });
    const { startedMs, total, created, recent } = reading;
    const under = { startedMs, total, created, recent };
    if (reading.step === "tied") return readTied(asked, last, { under, ...reading });
    if (reading.step === "archived") return readArchived(asked, last, { under, ...reading });
    const from = reading.step === "changed" ? reading : { fromMs: settledMs, seen: [] };
    return readChanged(asked, last, { under, fromMs: from.fromMs, seen: from.seen });
  }

  return async (grant: CrmGrant, text: string | null, chosen: CrmMapping | null): Promise<CrmLeadPage> => {
    const { size, ...from } = read(text);
    try {
      const { place, ...page } = await readNext({ grant, mapping: chosen ?? defaultMapping, size }, from);
      return { ...page, cursor: write({ ...place, size: largerPage(size, searchSizes.most) }) };
    } catch (error) {
      const smaller = smallerPage(error, { size, least: searchSizes.least });
      const total = from.reading?.total ?? null;
      return { ...nothingRead, total, cursor: write({ ...from, size: smaller }) };
    }
  };
}

function timeOf(record: ContactRecord | undefined): number {
  const ms = Date.parse(record?.properties["lastmodifieddate"] ?? "");
  if (!Number.isNaN(ms)) return ms;
  throw new CrmError("refused", "HubSpot didn’t return a contact’s time of change.");
}

/** `last`: null if this is the first reading. */
const placeAt = (last: Last | null, reading: Reading & Under): Place => {
  return { settledMs: null, counted: null, ...last, reading };
};
/** The next read starts from what was certainly searchable when this one began. */
const settled = (startedMs: number, counted: Counted | null): Place => {
  return { settledMs: startedMs - lagMs, counted, reading: null };
};
const write = (cursor: Cursor): string => JSON.stringify(cursor);

function read(text: string | null): Cursor {
  if (text === null) return { settledMs: null, counted: null, size: searchSizes.most, reading: null };
  const parsed = Cursor.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CrmError("refused", "Leadline lost its place in HubSpot. Remove the integration and add it again.");
}
