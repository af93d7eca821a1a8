import { CrmError, type CrmGrant, type CrmLeadPage, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import { type Api, ApiRefusal } from "./api.ts";
import { defaultMapping, fieldsFor, LeadRecord, readLead } from "./mapping.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const batchSize = 2_000;
/** A transaction over there may commit with a time that long past; the next reading starts so far back. */
const lagMs = 60_000;
/** getDeleted answers for 15 days; a day is left for clocks. */
const deletionsKeptMs = 14 * 86_400_000;

const Cursor = z.object({
  /** The last lead that was read; the next ones come after it. */
  after: z.object({ at: z.iso.datetime(), id: z.string().regex(/^[a-zA-Z0-9]{15,18}$/) }).nullable(),
  /** Deletions are known up to here. */
  deletedTo: z.iso.datetime().nullable(),
  /** A reading under way. `next`: the server's own cursor, good for minutes. */
  reading: z
    .object({
      startedAt: z.iso.datetime(),
      step: z.enum(["changed", "deleted"]),
      next: z.string().nullable(),
      total: z.int().nullable(),
      read: z.int(),
    })
    .nullable(),
});
type Cursor = z.output<typeof Cursor>;

const QueryAnswer = z.object({
  totalSize: z.int(),
  done: z.boolean(),
  /** A path of our own API and nothing else: it is followed with the access token. */
  nextRecordsUrl: z
    .string()
    .regex(/^\/services\/data\/v\d+\.\d+\/query\/[\w-]+$/)
    .optional(),
  records: z.array(LeadRecord),
});
const DeletedAnswer = z.object({
  deletedRecords: z.array(z.object({ id: z.string(), deletedDate: z.string() })),
  latestDateCovered: z.string(),
});

/** First every lead that changed, in the order of (SystemModstamp, Id), then what was deleted; one request a page. */
export function createLeadReader(api: Api, sandbox: CrmSandbox | null) {
  const apiOf = (grant: CrmGrant): string => instanceOf(grant, sandbox?.domain ?? null);
  const call = { batchSize };

  async function readChanged(grant: CrmGrant, cursor: Cursor, mapping: CrmMapping): Promise<CrmLeadPage> {
    const { body, at } = await queryOn(grant, cursor, mapping);
    const startedAt = cursor.reading?.startedAt ?? at.toISOString();
    const before = cursor.reading?.read ?? 0;
    const last = body.records.at(-1);
    const after = last === undefined ? cursor.after : { at: toIso(last.SystemModstamp), id: last.Id };
    const total = cursor.reading?.total ?? body.totalSize;
    const next = body.done ? null : (body.nextRecordsUrl ?? null);
    const shown = shownAt(grant, sandbox);
    const page = { ...sortOut(body.records.map((record) => readLead(record, { shown, mapping }))), deleted: [], total };
    const reading = { startedAt, next, total, read: before + body.records.length };
    if (!body.done)
      return { ...page, done: false, cursor: write({ ...cursor, after, reading: { ...reading, step: "changed" } }) };
    // Before the first reading's end nothing of this CRM was here, so nothing can have been deleted from it.
    if (cursor.deletedTo === null)
      return { ...page, done: true, cursor: finish({ ...cursor, after, deletedTo: startedAt }, startedAt) };
    return { ...page, done: false, cursor: write({ ...cursor, after, reading: { ...reading, step: "deleted" } }) };
  }

  async function queryOn(grant: CrmGrant, cursor: Cursor, mapping: CrmMapping) {
    const { accessToken } = grant;
    const next = cursor.reading?.next ?? null;
    if (next !== null) {
      try {
        return await api.getJson(QueryAnswer, { ...call, url: new URL(next, apiOf(grant)), accessToken });
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.errorCode !== "INVALID_QUERY_LOCATOR") throw error;
        // The server has forgotten its cursor; ours still knows the last lead.
      }
    }
    const url = new URL(restPath("query"), apiOf(grant));
    url.search = new URLSearchParams({ q: soqlAfter(cursor.after, mapping) }).toString();
    return api.getJson(QueryAnswer, { ...call, url, accessToken });
  }

  async function readDeleted(grant: CrmGrant, cursor: Cursor, startedAt: string): Promise<CrmLeadPage> {
    const url = new URL(restPath("sobjects/Lead/deleted/"), apiOf(grant));
    const endMs = Date.parse(startedAt);
    const knownToMs = cursor.deletedTo === null ? endMs : Date.parse(cursor.deletedTo);
    // At least a minute apart, or the server refuses.
    const startMs = Math.max(Math.min(knownToMs, endMs) - lagMs, endMs - deletionsKeptMs);
    url.search = new URLSearchParams({ start: toDeletedTime(startMs), end: toDeletedTime(endMs + 1_000) }).toString();
    const { body } = await api.getJson(DeletedAnswer, { url, accessToken: grant.accessToken });
    const deletedTo = toIso(body.latestDateCovered);
    const total = cursor.reading?.total ?? null;
    const deleted = body.deletedRecords.map(({ id }) => id);
    const next = finish({ ...cursor, deletedTo }, startedAt);
    return { leads: [], leftOut: [], deleted, total, done: true, cursor: next };
  }

  return (grant: CrmGrant, text: string | null, mapping: CrmMapping | null): Promise<CrmLeadPage> => {
    const cursor = read(text);
    return cursor.reading?.step === "deleted"
      ? readDeleted(grant, cursor, cursor.reading.startedAt)
      : readChanged(grant, cursor, mapping ?? defaultMapping);
  };
}

function soqlAfter(after: Cursor["after"], mapping: CrmMapping): string {
  const where =
    after === null
      ? ""
      : ` WHERE SystemModstamp > ${after.at} OR (SystemModstamp = ${after.at} AND Id > '${after.id}')`;
  return `SELECT ${fieldsFor(mapping).join(", ")} FROM Lead${where} ORDER BY SystemModstamp, Id`;
}

/** Where the newest lead is so young that an older one may still appear, the next reading starts before it. */
function finish(cursor: Cursor, startedAt: string): string {
  const settledMs = Date.parse(startedAt) - lagMs;
  const { after } = cursor;
  const settled = after === null || Date.parse(after.at) <= settledMs;
  const from = settled ? after : { at: new Date(settledMs).toISOString(), id: "000000000000000" };
  return write({ ...cursor, after: from, reading: null });
}

const write = (cursor: Cursor): string => JSON.stringify(cursor);

function read(text: string | null): Cursor {
  if (text === null) return { after: null, deletedTo: null, reading: null };
  const parsed = Cursor.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new CrmError("refused", "Leadline lost its place in Salesforce. Remove the integration and add it anew.");
}

/** 2026-01-31T09:30:00.000+0000 → 2026-01-31T09:30:00.000Z */
const toIso = (time: string): string => new Date(time.replace(/([+-]\d\d)(\d\d)$/, "$1:$2")).toISOString();
const toDeletedTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "+00:00");
