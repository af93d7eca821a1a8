import { CrmError, type CrmGrant, type CrmLeadPage, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { ContactRecord, defaultMapping, isOwned, mergedInto, propertiesFor, readContact } from "./mapping.ts";
import { createOwnerReader } from "./read-owners.ts";
import { contactUrl } from "./workspace.ts";

const contactsPath = "/crm/v3/objects/contacts";
const listSize = 100;
const searchSize = 200;
/** Changes become searchable with a delay, so the next read starts this far back. */
const lagMs = 120_000;

const Ids = z.array(z.string().regex(/^\d{1,20}$/));
const Reading = z.discriminatedUnion("step", [
  /** First: every contact, in the order of ids. */
  z.object({ step: z.literal("all"), after: z.string().nullable() }),
  /** Changed at `fromMs` or later, in the order of time. `seen`: those of that time that were already read. */
  z.object({ step: z.literal("changed"), fromMs: z.int(), seen: Ids }),
  /** More than a page with the same time, as after an import: in the order of ids. */
  z.object({ step: z.literal("tied"), atMs: z.int(), afterId: z.string().regex(/^\d{1,20}$/) }),
  z.object({ step: z.literal("archived"), after: z.string().nullable() }),
]);
type Reading = z.output<typeof Reading>;

const Cursor = z.object({
  /** Changes and deletions are known up to here; null before the first reading has completed. */
  settledMs: z.int().nullable(),
  reading: z.intersection(Reading, z.object({ startedMs: z.int(), total: z.int().nullable() })).nullable(),
});
type Cursor = z.output<typeof Cursor>;
/** Whose contacts, and which properties. */
interface From {
  grant: CrmGrant;
  mapping: CrmMapping;
}
type Under = { startedMs: number; total: number | null };

const ListAnswer = z.object({
  results: z.array(ContactRecord),
  paging: z.object({ next: z.object({ after: z.string().regex(/^\w+$/) }).optional() }).optional(),
});
const SearchAnswer = z.object({ total: z.int(), results: z.array(ContactRecord) });

/**
 * First reads every contact, later those changed, in order of time, then archived ones. Searches aren't paged: pages
 * are counted from the start, so a contact that changes meanwhile would move another past the reader, and they end at
 * 10,000. Each page is a new search from the last contact's time.
 */
export function createLeadReader(api: Api, sandbox: CrmSandbox | null) {
  const readOwners = createOwnerReader(api);

  async function toPage(from: From, records: ContactRecord[], total: number | null) {
    const owners = records.some(isOwned) ? await readOwners(from.grant) : new Map();
    const contacts = records.map((record) =>
      readContact(record, { url: contactUrl(from.grant, sandbox, record.id), owners, mapping: from.mapping }),
    );
    return { ...sortOut(contacts), deleted: [], total };
  }

  async function readAll(from: From, under: Under | null, after: string | null): Promise<CrmLeadPage> {
    const known = under ?? (await begin(from, []));
    const { body } = await list(from, { after, archived: false });
    const next = body.paging?.next?.after ?? null;
    const page = await toPage(from, body.results, known.total);
    if (next === null) return { ...page, done: true, cursor: settled(known.startedMs) };
    return { ...page, done: false, cursor: write(null, { ...known, step: "all", after: next }) };
  }

  /** The total, which the list doesn't contain, and the vendor's time. */
  async function begin(from: From, filters: object[]): Promise<Under> {
    const body = { limit: 1, properties: [], filterGroups: filters.length === 0 ? [] : [{ filters }] };
    const answer = await api.ask(SearchAnswer, { grant: from.grant, path: `${contactsPath}/search`, body });
    return { startedMs: answer.at.getTime(), total: answer.body.total };
  }

  function list(from: From, asked: { after: string | null; archived: boolean }) {
    const query = new URLSearchParams({ limit: String(listSize), properties: propertiesFor(from.mapping).join(",") });
    if (asked.after !== null) query.set("after", asked.after);
    if (asked.archived) query.set("archived", "true");
    return api.ask(ListAnswer, { grant: from.grant, path: contactsPath, query });
  }

  async function search(from: From, filters: object[], sortBy: string) {
    const sorts = [{ propertyName: sortBy, direction: "ASCENDING" }];
    const body = { limit: searchSize, properties: propertiesFor(from.mapping), filterGroups: [{ filters }], sorts };
    const { body: found } = await api.ask(SearchAnswer, { grant: from.grant, path: `${contactsPath}/search`, body });
    return { found: found.results, isLast: found.results.length < searchSize };
  }

  async function readChanged(
    from: From,
    settledMs: number,
    given: { under: Under | null; fromMs: number; seen: string[] },
  ): Promise<CrmLeadPage> {
    const { fromMs, seen } = given;
    const filters = [{ propertyName: "lastmodifieddate", operator: "GTE", value: String(fromMs) }];
    const under = given.under ?? (await begin(from, filters));
    const { found, isLast } = await search(from, filters, "lastmodifieddate");
    // A contact that has changed again has a later time, and is read again.
    const fresh = found.filter((one) => !(timeOf(one) === fromMs && seen.includes(one.id)));
    const page = { ...(await toPage(from, fresh, under.total)), deleted: fresh.flatMap(mergedInto), done: false };
    if (isLast) return { ...page, cursor: write(settledMs, { ...under, step: "archived", after: null }) };
    const lastMs = timeOf(found.at(-1));
    if (lastMs === fromMs)
      return { ...page, cursor: write(settledMs, { ...under, step: "tied", atMs: fromMs, afterId: "0" }) };
    const tied = found.filter((one) => timeOf(one) === lastMs).map(({ id }) => id);
    return { ...page, cursor: write(settledMs, { ...under, step: "changed", fromMs: lastMs, seen: tied }) };
  }

  async function readTied(
    from: From,
    settledMs: number,
    given: { under: Under; atMs: number; afterId: string },
  ): Promise<CrmLeadPage> {
    const { under, atMs, afterId } = given;
    const filters = [
      { propertyName: "lastmodifieddate", operator: "EQ", value: String(atMs) },
      { propertyName: "hs_object_id", operator: "GT", value: afterId },
    ];
    const { found, isLast } = await search(from, filters, "hs_object_id");
    const next: Reading = isLast
      ? { step: "changed", fromMs: atMs + 1, seen: [] }
      : { step: "tied", atMs, afterId: found.at(-1)?.id ?? afterId };
    const page = { ...(await toPage(from, found, under.total)), deleted: found.flatMap(mergedInto), done: false };
    return { ...page, cursor: write(settledMs, { ...under, ...next }) };
  }

  async function readArchived(
    from: From,
    settledMs: number,
    { under, after }: { under: Under; after: string | null },
  ): Promise<CrmLeadPage> {
    const { body } = await list(from, { after, archived: true });
    const deleted = body.results
      .filter(({ archivedAt }) => archivedAt !== undefined && Date.parse(archivedAt) >= settledMs)
      .map(({ id }) => id);
    const page = { leads: [], leftOut: [], total: under.total, deleted };
    const next = body.paging?.next?.after ?? null;
    if (next === null) return { ...page, done: true, cursor: settled(under.startedMs) };
    return { ...page, done: false, cursor: write(settledMs, { ...under, step: "archived", after: next }) };
  }

  return async (grant: CrmGrant, text: string | null, chosen: CrmMapping | null): Promise<CrmLeadPage> => {
    const asked = { grant, mapping: chosen ?? defaultMapping };
    const { settledMs, reading } = read(text);
    if (settledMs === null) return readAll(asked, reading, reading?.step === "all" ? reading.after : null);
    if (reading === null) return readChanged(asked, settledMs, { under: null, fromMs: settledMs, seen: [] });
    const { startedMs, total } = reading;
    const under = { startedMs, total };
    if (reading.step === "tied") return readTied(asked, settledMs, { under, ...reading });
    if (reading.step === "archived") return readArchived(asked, settledMs, { under, after: reading.after });
    const from = reading.step === "changed" ? reading : { fromMs: settledMs, seen: [] };
    return readChanged(asked, settledMs, { under, fromMs: from.fromMs, seen: from.seen });
  };
}

function timeOf(record: ContactRecord | undefined): number {
  const ms = Date.parse(record?.properties["lastmodifieddate"] ?? "");
  if (!Number.isNaN(ms)) return ms;
  throw new CrmError("refused", "HubSpot didn’t return a contact’s time of change.");
}

const write = (settledMs: number | null, reading: Reading & Under): string =>
  JSON.stringify({ settledMs, reading } satisfies Cursor);
/** The next read starts from what was certainly searchable when this one began. */
const settled = (startedMs: number): string =>
  JSON.stringify({ settledMs: startedMs - lagMs, reading: null } satisfies Cursor);

function read(text: string | null): Cursor {
  if (text === null) return { settledMs: null, reading: null };
  const parsed = Cursor.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CrmError("refused", "Leadline lost its place in HubSpot. Remove the integration and add it again.");
}
