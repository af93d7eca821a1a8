import { randomInt } from "node:crypto";
import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { recordId } from "./record-id.ts";
import type { SandboxTask, Store } from "./store.ts";

/** Object Reference, Task: what a client may set; text fields with as many characters as they take. */
const Fields = z
  .strictObject({
    WhoId: z
      .string()
      .regex(/^\w{15,18}$/)
      .nullable(),
    Subject: z.string().max(255).nullable(),
    Status: z.enum(["Not Started", "In Progress", "Completed", "Waiting on someone else", "Deferred"]),
    ActivityDate: z.iso.date().nullable(),
    TaskSubtype: z.enum(["Task", "Email", "Call", "ListEmail", "LinkedIn", "Cadence"]),
    CallType: z.enum(["Internal", "Inbound", "Outbound"]).nullable(),
    CallDurationInSeconds: z.int().min(0).nullable(),
    CallDisposition: z.string().max(255).nullable(),
    CallObject: z.string().max(255).nullable(),
    Description: z.string().max(32_000).nullable(),
  })
  .partial();
const onlyWhenCreated = ["TaskSubtype"] as const;

const emptyTask = {
  WhoId: null,
  Subject: null,
  Status: "Not Started",
  ActivityDate: null,
  TaskSubtype: "Task",
  CallType: null,
  CallDurationInSeconds: null,
  CallDisposition: null,
  CallObject: null,
  Description: null,
} satisfies Partial<SandboxTask>;

/** Calls and what else was noted on a lead: create, change and delete. */
export function createTasks({ state, save }: Store) {
  function read(body: string): z.infer<typeof Fields> | SandboxResponse {
    const text = parse(body);
    if (text === undefined) return apiError(400, "JSON_PARSER_ERROR", "The body cannot be read.");
    const given = Fields.safeParse(text);
    if (given.success) return given.data;
    const [issue] = given.error.issues;
    const field = issue?.code === "unrecognized_keys" ? issue.keys[0] : String(issue?.path[0] ?? "");
    if (issue?.code === "unrecognized_keys")
      return apiError(400, "INVALID_FIELD", `No such column '${field}' on sobject of type Task`);
    if (issue?.code === "too_big") return apiError(400, "STRING_TOO_LONG", `${field}: data value too large`);
    return apiError(
      400,
      "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
      `${field}: bad value for restricted picklist field`,
    );
  }

  /** A person is a lead that wasn't converted, or the contact of one that was. */
  function refuseWho(id: string): SandboxResponse | null {
    const lead = state.leads.find((one) => one.Id.startsWith(id));
    if (lead?.IsConverted) return apiError(400, "CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead");
    const exists = lead !== undefined || state.leads.some((one) => one.ConvertedContactId?.startsWith(id));
    return exists ? null : apiError(400, "ENTITY_IS_DELETED", "entity is deleted");
  }

  function create(body: string): SandboxResponse {
    const given = read(body);
    if ("status" in given) return given;
    const refused = typeof given.WhoId === "string" ? refuseWho(given.WhoId) : null;
    if (refused !== null) return refused;
    const nowMs = Date.now();
    // Whoever knows it may see the page, which holds what people noted.
    const Id = recordId("00T", randomInt(2 ** 48 - 1));
    const stamps = { CreatedDate: nowMs, LastModifiedDate: nowMs, SystemModstamp: nowMs };
    state.tasks.push({ ...emptyTask, ...defined(given), Id, ...stamps });
    save();
    return json(201, { id: Id, success: true, errors: [] });
  }

  function change(task: SandboxTask, body: string): SandboxResponse {
    const given = read(body);
    if ("status" in given) return given;
    const fixed = onlyWhenCreated.find((field) => given[field] !== undefined);
    if (fixed !== undefined)
      return apiError(400, "INVALID_FIELD_FOR_INSERT_UPDATE", `Unable to create/update fields: ${fixed}.`);
    const nowMs = Date.now();
    Object.assign(task, defined(given), { LastModifiedDate: nowMs, SystemModstamp: nowMs });
    save();
    return { status: 204, headers: {}, body: "" };
  }

  function remove(task: SandboxTask): SandboxResponse {
    state.tasks = state.tasks.filter((one) => one !== task);
    save();
    return { status: 204, headers: {}, body: "" };
  }

  function answerOne(id: string, { method, body }: { method: string; body: string }): SandboxResponse {
    const task = state.tasks.find((one) => one.Id.startsWith(id));
    if (task === undefined) return apiError(404, "ENTITY_IS_DELETED", "entity is deleted");
    if (method === "PATCH") return change(task, body);
    if (method === "DELETE") return remove(task);
    return apiError(405, "METHOD_NOT_ALLOWED", `HTTP Method '${method}' not allowed.`);
  }

  return { create, answerOne };
}

const defined = <T extends object>(fields: T): Partial<SandboxTask> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
