import { randomBytes } from "node:crypto";
import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { createBulkQueries } from "./bulk-queries.ts";
import { describeLead } from "./describe-lead.ts";
import { createComposite } from "./composite.ts";
import { type LeadFields, readLeadFields } from "./lead-fields.ts";
import { listDeleted } from "./list-deleted.ts";
import { ownerFields, owners, type SandboxLead, users } from "./make-leads.ts";
import { formatTime, isTimeField, queryFields } from "./query-fields.ts";
import { recordId } from "./record-id.ts";
import { parseSoql, SoqlError, type SoqlQuery, type SoqlRecord } from "./soql.ts";
import type { Store } from "./store.ts";
import type { SandboxSize } from "../sandbox-crm.ts";
import { createTasks } from "./tasks.ts";

/** What a query found and no page had yet. */
interface FoundRecords {
  rest: SoqlRecord[];
  total: number;
  pageSize: number;
  soql: SoqlQuery;
  version: string;
}

/** The REST API of Lead, query and its further pages, getDeleted, create, change, delete, and of Task; and query jobs. */
export function createRest(store: Store, { largestPage }: Pick<SandboxSize, "largestPage">) {
  const { state } = store;
  const tasks = createTasks(store);
  const bulkQueries = createBulkQueries(store, { largestPage });
  const composite = createComposite(store, answer);
  const locators = new Map<string, FoundRecords>();

  function answerPage(found: FoundRecords): SandboxResponse {
    const { rest, total, pageSize, soql, version } = found;
    const records = rest.slice(0, pageSize).map((record) => present(record, soql, version));
    const further = rest.slice(pageSize);
    if (further.length === 0) return json(200, { totalSize: total, done: true, records });
    const locator = `01g5g0000${randomBytes(6).toString("hex")}-${total - further.length}`;
    locators.set(locator, { ...found, rest: further });
    // As many cursors as a user may have open.
    for (const oldest of [...locators.keys()].slice(0, -10)) locators.delete(oldest);
    const nextRecordsUrl = `/services/data/${version}/query/${locator}`;
    return json(200, { totalSize: total, done: false, nextRecordsUrl, records });
  }

  function recordsOf(object: string): SoqlRecord[] {
    if (object === "User" || object === "Group") return owners[object];
    if (object === "Task") return state.tasks;
    return state.leads.map((one) => ({ ...one, ...ownerFields(one.OwnerId) }));
  }

  function query(request: SandboxRequest, url: URL, version: string): SandboxResponse {
    try {
      const soql = parseSoql(url.searchParams.get("q") ?? "");
      const { object } = soql;
      const fields = queryFields.get(object);
      if (fields === undefined) return apiError(400, "INVALID_TYPE", `sObject type '${object}' is not supported.`);
      const unknown = soql.fields.find((field) => !fields.includes(field));
      if (unknown !== undefined)
        return apiError(400, "INVALID_FIELD", `No such column '${unknown}' on entity '${object}'.`);
      const found = recordsOf(object).filter(soql.matches).toSorted(soql.compare);
      const rest = found.slice(0, soql.limit ?? found.length);
      const asked = /batchSize=(\d+)/.exec(String(request.headers["sforce-query-options"] ?? ""))?.[1];
      const pageSize = Math.min(Number(asked ?? 2000), largestPage);
      return answerPage({ rest, total: rest.length, pageSize, soql, version });
    } catch (error) {
      if (error instanceof SoqlError) return apiError(400, "MALFORMED_QUERY", error.message);
      throw error;
    }
  }

  function furtherPage(locator: string): SandboxResponse {
    const found = locators.get(locator);
    if (found === undefined) return apiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
    return answerPage(found);
  }

  function create(body: string): SandboxResponse {
    const given = readLeadFields(body, { isNew: true });
    if ("status" in given) return given;
    const nowMs = Date.now();
    const { LastName = "", Company = "", Title, Status = "Open - Not Contacted", ...rest } = given;
    const { FirstName = null, Email = null, Phone = null, MobilePhone = null, OwnerId = users[0].Id } = rest;
    const Id = recordId("00Q", state.leads.length + state.deleted.length + 1);
    const stamps = { CreatedDate: nowMs, LastModifiedDate: nowMs, SystemModstamp: nowMs };
    const names = { Id, FirstName, LastName, Company, Title: Title ?? "", OwnerId };
    state.leads.push({ ...names, Email, Phone, MobilePhone, Status, ...furtherFields(rest), ...stamps });
    store.save();
    return json(201, { id: Id, success: true, errors: [] });
  }

  /** The header is compared with the last change, in seconds (REST API, Conditional Request Headers). */
  function change(lead: SandboxLead, { body, headers }: SandboxRequest): SandboxResponse {
    const since = headers["if-unmodified-since"];
    if (since !== undefined && Math.floor(lead.LastModifiedDate / 1_000) * 1_000 > Date.parse(String(since)))
      return apiError(412, "PRECONDITION_FAILED", "The record was modified.");
    const given = readLeadFields(body, { isNew: false });
    if ("status" in given) return given;
    const nowMs = Date.now();
    for (const [name, value] of Object.entries(given)) if (value !== undefined) Object.assign(lead, { [name]: value });
    Object.assign(lead, { LastModifiedDate: nowMs, SystemModstamp: nowMs });
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  function remove(lead: SandboxLead): SandboxResponse {
    state.leads = state.leads.filter((other) => other !== lead);
    state.deleted = [...state.deleted, { id: lead.Id, deletedMs: Date.now() }];
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  function answer(request: SandboxRequest): SandboxResponse {
    const url = new URL(request.url, "http://sandbox");
    const [, version = "", rest = ""] = /^\/services\/data\/(v\d+\.\d)\/(.*?)\/?$/.exec(url.pathname) ?? [];
    const { method } = request;
    const job = /^jobs\/query(?:\/(\w{15,18})(\/results)?)?$/.exec(rest);
    if (job !== null) return bulkQueries(request, { id: job[1], results: job[2] !== undefined, version });
    if (method === "GET" && rest === "query") return query(request, url, version);
    const locator = /^query\/([\w-]+)$/.exec(rest)?.[1];
    if (method === "GET" && locator !== undefined) return furtherPage(locator);
    if (method === "GET" && rest === "sobjects/Lead/deleted") return listDeleted(store, url);
    if (method === "GET" && rest === "sobjects/Lead/describe") return json(200, describeLead);
    if (method === "POST" && rest === "sobjects/Lead") return create(request.body);
    if (method === "POST" && rest === "sobjects/Task") return tasks.create(request.body);
    const taskId = /^sobjects\/Task\/(\w{15,18})$/.exec(rest)?.[1];
    if (taskId !== undefined) return tasks.answerOne(taskId, request);
    const id = /^sobjects\/Lead\/(\w{15,18})$/.exec(rest)?.[1];
    const lead = id === undefined ? undefined : state.leads.find((one) => one.Id.startsWith(id));
    if (lead !== undefined && method === "PATCH") return change(lead, request);
    if (lead !== undefined && method === "DELETE") return remove(lead);
    if (method === "POST" && rest === "composite") return composite(request.body);
    return apiError(404, "NOT_FOUND", "The requested resource does not exist");
  }
  /** After the access token was accepted. */
  return answer;
}

const furtherFields = ({ LeadSource = null, Budget__c = null, Next_Step__c = null }: LeadFields) => ({
  LeadSource,
  Budget__c,
  Next_Step__c,
  IsConverted: false,
  ConvertedContactId: null,
});

function present(record: SoqlRecord, { object, fields }: SoqlQuery, version: string): object {
  const attributes = { type: object, url: `/services/data/${version}/sobjects/${object}/${record["Id"]}` };
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const value = record[field] ?? null;
    const [name = "", ofRelated] = field.split(".");
    if (ofRelated === undefined)
      values[name] = isTimeField(field) && typeof value === "number" ? formatTime(value) : value;
    else values[name] = { attributes: { type: "Name" }, ...Object(values[name]), [ofRelated]: value };
  }
  return { attributes, ...values };
}
