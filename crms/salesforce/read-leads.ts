import { type CrmGrant, type CrmLeadPage, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import { type Api, ApiRefusal } from "./api.ts";
import { finishReading, lagMs, type LeadCursor, msSince, readCursor, toIso, writeCursor } from "./lead-cursor.ts";
import { defaultMapping, fieldsFor, LeadRecord, readLead } from "./mapping.ts";
import type { BulkReader } from "./read-in-bulk.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const batchSize = 2_000;
/** getDeleted answers for 15 days; a day is left for clocks. */
const deletionsKeptMs = 14 * 86_400_000;

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
export function createLeadReader({ api, sandbox, bulk }: { api: Api; sandbox: CrmSandbox | null; bulk: BulkReader }) {
  const apiOf = (grant: CrmGrant): string => instanceOf(grant, sandbox?.domain ?? null);
  const call = { batchSize };

  async function readChanged(grant: CrmGrant, cursor: LeadCursor, mapping: CrmMapping): Promise<CrmLeadPage> {
    const { body, at } = await queryOn(grant, cursor, mapping);
    const startedAt = cursor.reading?.startedAt ?? at.toISOString();
    const before = cursor.reading?.read ?? 0;
    const last = body.records.at(-1);
    const after = last === undefined ? cursor.after : { at: toIso(last.SystemModstamp), id: last.Id };
    const total = cursor.reading?.total ?? body.totalSize;
    const next = body.done ? null : (body.nextRecordsUrl ?? null);
    const shown = shownAt(grant, sandbox);
    const records = sortOut(body.records.map((record) => readLead(record, { shown, mapping })));
    // The server's cursor may continue with what its query found.
    const page = { ...records, deleted: [], total, preparedMs: cursor.reading === null ? 0 : msSince(startedAt, at) };
    const reading = { startedAt, next, total, read: before + body.records.length };
    if (!body.done)
      return {
        ...page,
        done: false,
        cursor: writeCursor({ ...cursor, after, reading: { ...reading, step: "changed" } }),
      };
    // Before the first reading's end nothing of this CRM was here, so nothing can have been deleted from it.
    if (cursor.deletedTo === null)
      return { ...page, done: true, cursor: finishReading({ ...cursor, after, deletedTo: startedAt }, startedAt) };
    return {
      ...page,
      done: false,
      cursor: writeCursor({ ...cursor, after, reading: { ...reading, step: "deleted" } }),
    };
  }

  async function queryOn(grant: CrmGrant, cursor: LeadCursor, mapping: CrmMapping) {
    const { accessToken } = grant;
    const next = cursor.reading?.next ?? null;
    if (next !== null) {
      try {
        const answer = await api.getJson(QueryAnswer, { ...call, url: new URL(next, apiOf(grant)), accessToken });
        // A page that leads to itself has no end.
        if (!answer.body.done && answer.body.nextRecordsUrl === next) throw api.unreadable();
        return answer;
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.errorCode !== "INVALID_QUERY_LOCATOR") throw error;
        // The server has forgotten its cursor; ours still knows the last lead.
      }
    }
    const url = new URL(restPath("query"), apiOf(grant));
    url.search = new URLSearchParams({ q: soqlAfter(cursor.after, mapping) }).toString();
    return api.getJson(QueryAnswer, { ...call, url, accessToken });
  }

  async function readDeleted(grant: CrmGrant, cursor: LeadCursor, startedAt: string): Promise<CrmLeadPage> {
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
    const next = finishReading({ ...cursor, deletedTo }, startedAt);
    return { leads: [], leftOut: [], deleted, total, done: true, cursor: next };
  }

  return async (grant: CrmGrant, text: string | null, chosen: CrmMapping | null): Promise<CrmLeadPage> => {
    const cursor = readCursor(text);
    const mapping = chosen ?? defaultMapping;
    const { reading, spentJob } = cursor;
    if (cursor.bulk !== null) return bulk.read(grant, cursor.bulk, mapping);
    if (reading?.step === "deleted") return readDeleted(grant, cursor, reading.startedAt);
    if (spentJob !== null) await bulk.deleteJob(grant, spentJob);
    return readChanged(grant, { ...cursor, spentJob: null }, mapping);
  };
}

function soqlAfter(after: LeadCursor["after"], mapping: CrmMapping): string {
  const where =
    after === null
      ? ""
      : ` WHERE SystemModstamp > ${after.at} OR (SystemModstamp = ${after.at} AND Id > '${after.id}')`;
  return `SELECT ${fieldsFor(mapping).join(", ")} FROM Lead${where} ORDER BY SystemModstamp, Id`;
}

const toDeletedTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "+00:00");
