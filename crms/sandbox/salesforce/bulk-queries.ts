import { randomInt } from "node:crypto";
import { z } from "zod";
import type { SandboxSize } from "../sandbox-crm.ts";
import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { ownerFields, type SandboxLead, users } from "./make-leads.ts";
import { formatTime, isTimeField, queryFields } from "./query-fields.ts";
import { recordId } from "./record-id.ts";
import { parseSoql, SoqlError, type SoqlQuery, type SoqlRecord } from "./soql.ts";
import type { QueryJob, Store } from "./store.ts";

const NewJob = z.strictObject({
  operation: z.literal("query"),
  query: z.string(),
  contentType: z.literal("CSV").default("CSV"),
  /** The sandbox writes commas alone. */
  columnDelimiter: z.literal("COMMA").default("COMMA"),
  lineEnding: z.enum(["LF", "CRLF"]).default("LF"),
});
const maxJobsKept = 100;

interface Asked {
  id: string | undefined;
  results: boolean;
  version: string;
}

/**
 * Query jobs (Bulk API 2.0 and Bulk API Developer Guide, Query). A job gets one state further each time that it is asked
 * about. Its results are the leads as they were when it was complete, without those created after the job. After a
 * restart they are the leads as they are then.
 */
export function createBulkQueries({ state, save }: Store, { largestPage }: Pick<SandboxSize, "largestPage">) {
  /** By job. */
  const results = new Map<string, SandboxLead[]>();

  function create(body: string, version: string): SandboxResponse {
    const given = NewJob.safeParse(parse(body));
    if (!given.success) return apiError(400, "INVALIDJOB", "The job’s properties are not valid.");
    const { query, lineEnding } = given.data;
    const soql = read(query);
    if ("status" in soql) return soql;
    const id = recordId("750", randomInt(2 ** 47));
    const job: QueryJob = {
      id,
      object: soql.object,
      query,
      state: "UploadComplete",
      lineEnding,
      createdMs: Date.now(),
      recordCount: 0,
    };
    state.jobs = [...state.jobs, job].slice(-maxJobsKept);
    save();
    return json(200, present(job, version));
  }

  function poll(job: QueryJob, version: string): SandboxResponse {
    const shown = present(job, version);
    if (job.state === "UploadComplete") job.state = "InProgress";
    else if (job.state === "InProgress") {
      job.state = "JobComplete";
      const found = recordsOf(state.leads, job, { after: null, most: Infinity }).map((lead) => ({ ...lead }));
      job.recordCount = found.length;
      results.set(job.id, found);
    }
    save();
    return json(200, { ...shown, jobType: "V2Query", retries: 0, totalProcessingTime: 0 });
  }

  function abort(job: QueryJob, { body }: SandboxRequest, version: string): SandboxResponse {
    const asked = z.strictObject({ state: z.literal("Aborted") }).safeParse(parse(body));
    if (!asked.success) return apiError(400, "API_ERROR", "A job can only be aborted.");
    if (job.state !== "UploadComplete" && job.state !== "InProgress")
      return apiError(400, "API_ERROR", "Error encountered when aborting the job because the job is terminated");
    job.state = "Aborted";
    save();
    return json(200, present(job, version));
  }

  function remove(job: QueryJob): SandboxResponse {
    if (job.state !== "JobComplete" && job.state !== "Aborted") {
      const message = "Error encountered when deleting the job because the job is not terminated";
      return apiError(400, "API_ERROR", message);
    }
    state.jobs = state.jobs.filter((other) => other !== job);
    results.delete(job.id);
    save();
    return { status: 204, headers: {}, body: "" };
  }

  function readResults(job: QueryJob, url: URL): SandboxResponse {
    // As documented: an unsuccessful request has no content.
    if (job.state !== "JobComplete") return { status: 204, headers: {}, body: "" };
    const locator = url.searchParams.get("locator");
    const after = locator === null ? null : Buffer.from(locator, "base64url").toString();
    if (after !== null && !/^00Q\w{15}$/.test(after)) return apiError(400, "API_ERROR", "The locator is not valid.");
    const asked = Number(url.searchParams.get("maxRecords") ?? largestPage);
    if (!Number.isInteger(asked) || asked < 1) return apiError(400, "API_ERROR", "maxRecords is not valid.");
    const { fields } = parseSoql(job.query);
    const most = Math.min(asked, largestPage);
    // One more tells whether there is a next set.
    const found = recordsOf(results.get(job.id) ?? state.leads, job, { after, most: most + 1 });
    const records = found.slice(0, most);
    const last = records.at(-1);
    const isLast = last === undefined || found.length === records.length;
    const line = (cells: readonly string[]): string =>
      cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + (job.lineEnding === "LF" ? "\n" : "\r\n");
    const lines = records.map((record) => {
      const values: SoqlRecord = { ...record, ...ownerFields(record.OwnerId) };
      return line(fields.map((field) => textOf(field, values[field] ?? null)));
    });
    return {
      status: 200,
      headers: {
        "content-type": "text/csv",
        "content-encoding": "gzip",
        "sforce-numberofrecords": String(records.length),
        "sforce-locator": isLast ? "null" : Buffer.from(last.Id).toString("base64url"),
      },
      body: line(fields) + lines.join(""),
    };
  }

  /** After the access token was accepted. */
  return (request: SandboxRequest, { id, results: asksResults, version }: Asked): SandboxResponse => {
    const { method } = request;
    if (id === undefined)
      return method === "POST" ? create(request.body, version) : apiError(405, "METHOD_NOT_ALLOWED", "Use POST.");
    const job = state.jobs.find((one) => one.id.startsWith(id));
    if (job === undefined) return apiError(404, "NOT_FOUND", "The requested resource does not exist");
    if (asksResults) return readResults(job, new URL(request.url, "http://sandbox"));
    if (method === "GET") return poll(job, version);
    if (method === "PATCH") return abort(job, request, version);
    if (method === "DELETE") return remove(job);
    return apiError(405, "METHOD_NOT_ALLOWED", `HTTP Method '${method}' not allowed.`);
  };
}

/** The next in the order of their ids, which is that of the leads. */
function recordsOf(
  leads: readonly SandboxLead[],
  job: QueryJob,
  { after, most }: { after: string | null; most: number },
): SandboxLead[] {
  const { matches } = parseSoql(job.query);
  const found: SandboxLead[] = [];
  for (let at = after === null ? 0 : firstAfter(leads, after); at < leads.length; at += 1) {
    const lead = leads[at];
    if (lead === undefined || lead.CreatedDate > job.createdMs || !matches({ ...lead })) continue;
    found.push(lead);
    if (found.length === most) break;
  }
  return found;
}

/** What a job may ask: no ORDER BY or LIMIT, which the guide leaves unsupported, and known fields of a Lead. */
function read(query: string): SoqlQuery | SandboxResponse {
  try {
    const soql = parseSoql(query);
    if (/\b(order\s+by|limit)\b/i.test(query.replaceAll(/'(?:[^'\\]|\\.)*'/g, "")))
      return apiError(400, "API_ERROR", "ORDER BY and LIMIT are not supported by the Bulk API.");
    if (soql.object !== "Lead")
      return apiError(400, "INVALIDENTITY", `Entity '${soql.object}' is not supported by the Bulk API.`);
    const unknown = soql.fields.find((field) => !queryFields.get(soql.object)?.includes(field));
    if (unknown === undefined) return soql;
    return apiError(400, "INVALID_FIELD", `No such column '${unknown}' on entity '${soql.object}'.`);
  } catch (error) {
    if (error instanceof SoqlError) return apiError(400, "MALFORMED_QUERY", error.message);
    throw error;
  }
}

const present = ({ id, object, state, lineEnding, createdMs, recordCount }: QueryJob, version: string) => ({
  id,
  operation: "query",
  object,
  createdById: users[0].Id,
  createdDate: formatTime(createdMs),
  systemModstamp: formatTime(createdMs),
  state,
  concurrencyMode: "Parallel",
  contentType: "CSV",
  apiVersion: Number(version.slice(1)),
  lineEnding,
  columnDelimiter: "COMMA",
  ...(state === "JobComplete" && { numberRecordsProcessed: recordCount }),
});

/** A CSV has text alone; times are written otherwise than by the REST API. */
function textOf(field: string, value: string | number | boolean | null): string {
  if (value === null) return "";
  return isTimeField(field) && typeof value === "number" ? new Date(value).toISOString() : String(value);
}

/** The place of the first lead with a greater id. */
function firstAfter(leads: readonly SandboxLead[], id: string): number {
  let [low, high] = [0, leads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leads[middle]?.Id ?? "") > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
