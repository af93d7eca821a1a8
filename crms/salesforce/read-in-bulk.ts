import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import {
  type CrmBulk,
  CrmError,
  type CrmGrant,
  type CrmLead,
  type CrmLeadPage,
  type CrmLeftOut,
  type CrmSandbox,
  sortOut,
} from "@leadline/adapter-kit/crm";
import { timeOf } from "@leadline/adapter-kit/crm-http";
import { type OutboundResponse, OutboundError } from "@leadline/adapter-kit/outbound/open-outbound";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { CsvError, parse } from "csv-parse";
import { z } from "zod";
import type { Api } from "./api.ts";
import { describeLead } from "./describe-lead.ts";
import {
  type BulkReading,
  finishBulk,
  fromNothing,
  msSince,
  toIso,
  type ValueKind,
  writeCursor,
} from "./lead-cursor.ts";
import { defaultMapping, fieldsFor, LeadRecord, readLead } from "./mapping.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const recordsAtOnce = 2_000;
/** About 150 records, which take a few milliseconds. */
const sliceBytes = 32_000;
/** Then the job is given up. Salesforce itself retries for longer. */
const longestJobMs = 2 * 3_600_000;
const pollMs = { first: 1_000, longest: 30_000 };

const Job = z.object({
  id: z.string().regex(/^[a-zA-Z0-9]{15,18}$/),
  state: z.enum(["UploadComplete", "InProgress", "Aborted", "JobComplete", "Failed"]),
  createdDate: z.string(),
  numberRecordsProcessed: z.int().nullish(),
});

const kindsOfTypes: Record<string, ValueKind> = {
  boolean: "boolean",
  int: "number",
  long: "number",
  double: "number",
  currency: "number",
  percent: "number",
  datetime: "time",
};

/** The results that a job no longer has. */
class JobGone extends Error {}

interface BulkReaderOptions {
  api: Api;
  sandbox: CrmSandbox | null;
  fromLeads: number;
}

export interface BulkReader extends CrmBulk {
  read(grant: CrmGrant, reading: BulkReading, mapping: CrmMapping): Promise<CrmLeadPage>;
  deleteJob(grant: CrmGrant, jobId: string): Promise<void>;
}

/**
 * Every lead by a query job of Bulk API 2.0: create it, poll it, read its CSV set by set. Where the job isn't
 * allowed, fails or is gone, the leads are read page by page from the start.
 */
export function createBulkReader({ api, sandbox, fromLeads }: BulkReaderOptions): BulkReader {
  const at = (grant: CrmGrant, path: string): URL =>
    new URL(restPath(`jobs/query${path}`), instanceOf(grant, sandbox?.domain ?? null));

  async function begin(grant: CrmGrant, chosen: CrmMapping | null): Promise<string | null> {
    const { accessToken } = grant;
    const fields = fieldsFor(chosen ?? defaultMapping);
    try {
      const described = await describeLead(api, sandbox, grant);
      const query = `SELECT ${fields.join(", ")} FROM Lead`;
      const body = { operation: "query", query, contentType: "CSV", columnDelimiter: "COMMA", lineEnding: "LF" };
      const answer = await api.sendJson({ method: "POST", url: at(grant, ""), accessToken, body });
      const { id, createdDate } = api.readJson(Job, answer);
      const kinds = described.flatMap(({ name, type }) => {
        const kind = kindsOfTypes[type];
        return kind !== undefined && fields.includes(name) ? [[name, kind] as const] : [];
      });
      const job = { jobId: id, startedAt: toIso(createdDate), kinds: Object.fromEntries(kinds) };
      return writeCursor({ ...fromNothing, bulk: { ...job, total: null, locator: null } });
    } catch (error) {
      // The edition has no Bulk API, the user may not use it, or its daily limit is reached.
      if (isRefused(error)) return null;
      throw error;
    }
  }

  async function read(grant: CrmGrant, reading: BulkReading, mapping: CrmMapping): Promise<CrmLeadPage> {
    try {
      if (reading.total !== null) return await readResults(grant, { ...reading, total: reading.total }, mapping);
      return await pollJob(grant, reading, mapping);
    } catch (error) {
      if (error instanceof JobGone || isRefused(error) || isTooLarge(error))
        return { ...nothing, total: null, cursor: writeCursor(fromNothing) };
      throw error;
    }
  }

  async function pollJob(grant: CrmGrant, reading: BulkReading, mapping: CrmMapping): Promise<CrmLeadPage> {
    const url = at(grant, `/${reading.jobId}`);
    const { accessToken } = grant;
    const { body: job, at: now } = await api.getJson(Job, { url, accessToken });
    if (job.state === "JobComplete")
      return readResults(grant, { ...reading, total: job.numberRecordsProcessed ?? 0 }, mapping);
    if (job.state === "Aborted" || job.state === "Failed") throw new JobGone();
    const ageMs = now.getTime() - Date.parse(reading.startedAt);
    if (ageMs > longestJobMs) {
      await api.sendJson({ method: "PATCH", url, accessToken, body: { state: "Aborted" } });
      throw new JobGone();
    }
    const ms = Math.min(Math.max(ageMs / 4, pollMs.first), pollMs.longest);
    const wait = { ms: Math.round(ms), why: "Salesforce is preparing your leads." };
    return { ...nothing, total: null, wait, cursor: writeCursor({ ...fromNothing, bulk: reading }) };
  }

  async function readResults(
    grant: CrmGrant,
    reading: BulkReading & { total: number },
    mapping: CrmMapping,
  ): Promise<CrmLeadPage> {
    const { jobId, locator, kinds, total } = reading;
    const url = at(grant, `/${jobId}/results`);
    url.searchParams.set("maxRecords", String(recordsAtOnce));
    if (locator !== null) url.searchParams.set("locator", locator);
    const answer = await api.ask({ method: "GET", url, accessToken: grant.accessToken, accept: "text/csv" });
    // Salesforce's answer where the results can't be read.
    if (answer.status === 204) throw new JobGone();
    const shown = shownAt(grant, sandbox);
    const toLead = (record: LeadRecord) => readLead(record, { shown, mapping });
    const records = await readRecords(answer, { columns: fieldsFor(mapping), kinds, toLead });
    const next = String(answer.headers["sforce-locator"] ?? "null");
    const done = next === "null" || next === "";
    return {
      ...sortOut(records),
      deleted: [],
      total,
      preparedMs: msSince(reading.startedAt, timeOf(answer)),
      done,
      cursor: done ? finishBulk(reading) : writeCursor({ ...fromNothing, bulk: { ...reading, locator: next } }),
    };
  }

  /** Not before its last results are stored. Salesforce deletes it after a week otherwise. */
  async function deleteJob(grant: CrmGrant, jobId: string): Promise<void> {
    const url = at(grant, `/${jobId}`);
    await api.ask({ method: "DELETE", url, accessToken: grant.accessToken, accept: "*/*" }).catch((error: unknown) => {
      if (!(error instanceof CrmError) || error.fault === "access-refused") throw error;
    });
  }

  return { fromLeads, begin, read, deleteJob };
}

const isRefused = (error: unknown): boolean => error instanceof CrmError && error.fault === "refused";
/** Long texts in many fields; page by page, Salesforce makes its pages smaller then. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof CrmError && error.cause instanceof OutboundError && error.cause.fault === "too-large";

const nothing = { leads: [], leftOut: [], deleted: [], done: false };

interface ReadingOfRecords {
  columns: string[];
  kinds: BulkReading["kinds"];
  /** From a record as the REST API has it. */
  toLead: (record: LeadRecord) => CrmLead | CrmLeftOut;
}

/**
 * A header row stands before the records, in some sets more than once. Each record is read as soon as it is parsed, so
 * that a set needs little memory, and others have their turn after every slice.
 */
async function readRecords(
  answer: OutboundResponse,
  { columns, kinds, toLead }: ReadingOfRecords,
): Promise<(CrmLead | CrmLeftOut)[]> {
  const records: (CrmLead | CrmLeftOut)[] = [];
  let found = 0;
  let cause: unknown;
  let header: string[] | null = null;
  try {
    for await (const row of Readable.from(slicesOf(answer.text)).pipe(parse()) as AsyncIterable<string[]>) {
      header ??= row.includes("Id") ? row : columns;
      if (row[header.indexOf("Id")] === "Id") continue;
      if (row.length !== header.length) throw incomplete();
      found += 1;
      const values = header.map((name, index) => [name, valueOf(row[index] ?? "", kinds[name])] as const);
      const record = parseRecord(Object.fromEntries(values));
      if (record.success) records.push(toLead(record.data));
      else cause ??= record.error;
    }
  } catch (error) {
    throw error instanceof CsvError ? incomplete(error) : error;
  }
  if (found !== Number(answer.headers["sforce-numberofrecords"])) throw incomplete();
  if (records.length === found) return records;
  throw new CrmError("refused", "Salesforce sent a response that Leadline doesn’t understand.", { cause });
}

async function* slicesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await setImmediate();
  }
}

function parseRecord(values: Record<string, unknown>) {
  const owner = { Name: values["Owner.Name"], Email: values["Owner.Email"] };
  return LeadRecord.safeParse({ ...values, ...("Owner.Name" in values && { Owner: owner }) });
}

const incomplete = (cause?: unknown): CrmError =>
  new CrmError("unreachable", "Salesforce’s answer was incomplete.", { cause });

function valueOf(text: string, kind: ValueKind | undefined): string | number | boolean | null {
  if (text === "") return null;
  if (kind === "boolean") return text === "true";
  if (kind === "number") return Number(text);
  return kind === "time" ? text.replace(/Z$/, "+0000") : text;
}
