import { randomBytes } from "node:crypto";
import { z } from "zod";
import { json, type SandboxAnswer, type SandboxRequest } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { describeLead } from "./describe-lead.ts";
import { ownerFields, type SandboxLead, users } from "./make-leads.ts";
import { recordId } from "./record-id.ts";
import { parseSoql, SoqlError, type SoqlQuery, type SoqlRecord } from "./soql.ts";
import type { Store } from "./store.ts";
import { createTasks } from "./tasks.ts";

const times = new Set(["CreatedDate", "LastModifiedDate", "SystemModstamp"]);
const leadFields = [
  "Id",
  "FirstName",
  "LastName",
  "Company",
  "Title",
  "Email",
  "Phone",
  "MobilePhone",
  "Status",
  "LeadSource",
  "Budget__c",
  "IsConverted",
  "OwnerId",
  "Owner.Name",
  "Owner.Email",
  ...times,
];
const taskFields = [
  "Id",
  "WhoId",
  "Subject",
  "Status",
  "ActivityDate",
  "TaskSubtype",
  "CallType",
  "CallDurationInSeconds",
  "CallDisposition",
  "CallObject",
  "Description",
  ...times,
];
/** Fewer than are asked for, as the real one may, so that 250 leads are several pages. */
const largestPage = 100;
const fifteenDaysMs = 15 * 86_400_000;

const LeadFields = z
  .object({
    FirstName: z.string().nullable(),
    LastName: z.string().min(1),
    Company: z.string().min(1),
    Title: z.string(),
    Email: z.string().nullable(),
    Phone: z.string().nullable(),
    MobilePhone: z.string().nullable(),
    Status: z.string(),
    LeadSource: z.string().nullable(),
    Budget__c: z.number().nullable(),
    OwnerId: z.enum(users.map(({ Id }) => Id)),
  })
  .partial();

/** 2026-01-31T09:30:00.000+0000 */
const formatTime = (ms: number): string => new Date(ms).toISOString().replace("Z", "+0000");

/** The REST API of Lead, query and its further pages, getDeleted, create, change, delete, and of Task. */
export function createRest(store: Store) {
  const { state } = store;
  const tasks = createTasks(store);
  const locators = new Map<string, { rest: object[]; total: number; pageSize: number; version: string }>();

  function answerPage(rest: object[], total: number, pageSize: number, version: string): SandboxAnswer {
    const records = rest.slice(0, pageSize);
    const further = rest.slice(pageSize);
    if (further.length === 0) return json(200, { totalSize: total, done: true, records });
    const locator = `01g5g0000${randomBytes(6).toString("hex")}-${total - further.length}`;
    locators.set(locator, { rest: further, total, pageSize, version });
    // As many cursors as a user may have open.
    for (const oldest of [...locators.keys()].slice(0, -10)) locators.delete(oldest);
    const nextRecordsUrl = `/services/data/${version}/query/${locator}`;
    return json(200, { totalSize: total, done: false, nextRecordsUrl, records });
  }

  function query(request: SandboxRequest, url: URL, version: string): SandboxAnswer {
    try {
      const soql = parseSoql(url.searchParams.get("q") ?? "");
      const { object } = soql;
      if (object !== "Lead" && object !== "Task")
        return apiError(400, "INVALID_TYPE", `sObject type '${object}' is not supported.`);
      const fields = object === "Lead" ? leadFields : taskFields;
      const unknown = soql.fields.find((field) => !fields.includes(field));
      if (unknown !== undefined)
        return apiError(400, "INVALID_FIELD", `No such column '${unknown}' on entity '${object}'.`);
      const found = (object === "Lead" ? state.leads : state.tasks)
        .map((one): SoqlRecord => ({ ...one, ...("OwnerId" in one ? ownerFields(one.OwnerId) : {}) }))
        .filter(soql.matches)
        .toSorted(soql.compare);
      const records = found.slice(0, soql.limit ?? found.length).map((one) => present(one, soql, version));
      const asked = /batchSize=(\d+)/.exec(String(request.headers["sforce-query-options"] ?? ""))?.[1];
      return answerPage(records, records.length, Math.min(Number(asked ?? 2000), largestPage), version);
    } catch (error) {
      if (error instanceof SoqlError) return apiError(400, "MALFORMED_QUERY", error.message);
      throw error;
    }
  }

  function furtherPage(locator: string): SandboxAnswer {
    const found = locators.get(locator);
    if (found === undefined) return apiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
    return answerPage(found.rest, found.total, found.pageSize, found.version);
  }

  function listDeleted(url: URL): SandboxAnswer {
    const [startMs, endMs] = ["start", "end"].map((name) => Date.parse(url.searchParams.get(name) ?? ""));
    if (startMs === undefined || endMs === undefined || Number.isNaN(startMs) || Number.isNaN(endMs))
      return apiError(400, "MALFORMED_ID", "start and end must be times");
    if (endMs - startMs < 60_000)
      return apiError(400, "INVALID_REPLICATION_DATE", "endDate must be at least one minute greater than startDate");
    const earliestMs = Date.now() - fifteenDaysMs;
    if (startMs < earliestMs)
      return apiError(400, "INVALID_REPLICATION_DATE", "startDate is outside the replication window");
    // Seconds do not count, on either side.
    const minute = (ms: number) => Math.floor(ms / 60_000) * 60_000;
    const within = state.deleted.filter(({ deletedMs }) => deletedMs >= minute(startMs) && deletedMs <= endMs);
    return json(200, {
      deletedRecords: within.map(({ id, deletedMs }) => ({ deletedDate: formatTime(deletedMs), id })),
      earliestDateAvailable: formatTime(earliestMs),
      latestDateCovered: formatTime(Math.min(endMs, Date.now())),
    });
  }

  function create(body: string): SandboxAnswer {
    const given = readFields(body);
    if (given === null) return apiError(400, "JSON_PARSER_ERROR", "The body cannot be read.");
    if (given.LastName === undefined || given.Company === undefined)
      return apiError(400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [LastName, Company]");
    const nowMs = Date.now();
    const { LastName, Company, Title = "", Status = "Open - Not Contacted", ...rest } = given;
    const { FirstName = null, Email = null, Phone = null, MobilePhone = null } = rest;
    const Id = recordId("00Q", state.leads.length + state.deleted.length + 1);
    const stamps = { CreatedDate: nowMs, LastModifiedDate: nowMs, SystemModstamp: nowMs };
    const names = { Id, FirstName, LastName, Company, Title, OwnerId: users[0].Id };
    state.leads.push({ ...names, Email, Phone, MobilePhone, Status, ...furtherFields(rest), ...stamps });
    store.save();
    return json(201, { id: Id, success: true, errors: [] });
  }

  function change(lead: SandboxLead, body: string): SandboxAnswer {
    const given = readFields(body);
    if (given === null) return apiError(400, "JSON_PARSER_ERROR", "The body cannot be read.");
    const nowMs = Date.now();
    for (const [name, value] of Object.entries(given)) if (value !== undefined) Object.assign(lead, { [name]: value });
    Object.assign(lead, { LastModifiedDate: nowMs, SystemModstamp: nowMs });
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  function remove(lead: SandboxLead): SandboxAnswer {
    state.leads = state.leads.filter((other) => other !== lead);
    state.deleted = [...state.deleted, { id: lead.Id, deletedMs: Date.now() }];
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  /** After the access token was accepted. */
  return (request: SandboxRequest): SandboxAnswer => {
    const url = new URL(request.url, "http://sandbox");
    const [, version = "", rest = ""] = /^\/services\/data\/(v\d+\.\d)\/(.*?)\/?$/.exec(url.pathname) ?? [];
    const { method } = request;
    if (method === "GET" && rest === "query") return query(request, url, version);
    const locator = /^query\/([\w-]+)$/.exec(rest)?.[1];
    if (method === "GET" && locator !== undefined) return furtherPage(locator);
    if (method === "GET" && rest === "sobjects/Lead/deleted") return listDeleted(url);
    if (method === "GET" && rest === "sobjects/Lead/describe") return json(200, describeLead);
    if (method === "POST" && rest === "sobjects/Lead") return create(request.body);
    if (method === "POST" && rest === "sobjects/Task") return tasks.create(request.body);
    const taskId = /^sobjects\/Task\/(\w{15,18})$/.exec(rest)?.[1];
    if (taskId !== undefined) return tasks.answerOne(taskId, request);
    const id = /^sobjects\/Lead\/(\w{15,18})$/.exec(rest)?.[1];
    const lead = id === undefined ? undefined : state.leads.find((one) => one.Id.startsWith(id));
    if (lead !== undefined && method === "PATCH") return change(lead, request.body);
    if (lead !== undefined && method === "DELETE") return remove(lead);
    return apiError(404, "NOT_FOUND", "The requested resource does not exist");
  };
}

const furtherFields = ({ LeadSource = null, Budget__c = null }: z.infer<typeof LeadFields>) => ({
  LeadSource,
  Budget__c,
  IsConverted: false,
});

function present(record: SoqlRecord, { object, fields }: SoqlQuery, version: string): object {
  const attributes = { type: object, url: `/services/data/${version}/sobjects/${object}/${record["Id"]}` };
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = record[field] ?? null;
    const [name = "", ofRelated] = field.split(".");
    if (ofRelated === undefined)
      values[name] = times.has(field) && typeof value === "number" ? formatTime(value) : value;
    else values[name] = { attributes: { type: "Name" }, ...Object(values[name]), [ofRelated]: value };
  }
  return { attributes, ...values };
}

function readFields(body: string): z.infer<typeof LeadFields> | null {
  try {
    return LeadFields.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
