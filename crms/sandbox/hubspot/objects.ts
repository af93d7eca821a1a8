import { randomInt } from "node:crypto";
import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import { associate, associationTypes } from "./associations.ts";
import { apiError, invalid, notFound } from "./errors.ts";
import { refuseValues } from "./properties.ts";
import { createReads, type FindObject, namesIn, present } from "./read-objects.ts";
import { readJson } from "./search.ts";
import type { CrmObject, ObjectType, Store } from "./store.ts";
import type { ContactEvent } from "./webhooks.ts";

const Values = z.record(z.string(), z.coerce.string());
const Create = z.object({
  properties: Values.default({}),
  associations: z
    .array(
      z.object({
        to: z.object({ id: z.coerce.string() }),
        types: z.array(z.object({ associationCategory: z.string(), associationTypeId: z.int() })),
      }),
    )
    .default([]),
});
const Update = z.object({ properties: Values });
const Merge = z.object({ primaryObjectId: z.coerce.string(), objectIdToMerge: z.coerce.string() });

const stampNames = {
  contacts: { created: "createdate", updated: "lastmodifieddate" },
  calls: { created: "hs_createdate", updated: "hs_lastmodifieddate" },
} as const;

/** /crm/v3/objects/{contacts|calls}: list, search, read, create, update, archive, batch read, and merging contacts. */
export function createObjects(store: Store, report: (events: readonly ContactEvent[]) => void) {
  const { state } = store;

  function stamp(type: ObjectType, one: CrmObject): void {
    one.updatedMs = Math.max(Date.now(), one.updatedMs + 1);
    one.properties[stampNames[type].updated] = new Date(one.updatedMs).toISOString();
    store.save();
  }

  const find: FindObject = (type, id, archived = false) => {
    const wanted = type === "contacts" ? (state.merged[id] ?? id) : id;
    return state[type].find((one) => one.id === wanted && (one.archivedMs !== null) === archived);
  };

  /** An email is unique, and kept in lower case. */
  const withEmail = (email = ""): CrmObject | undefined =>
    email === ""
      ? undefined
      : state.contacts.find((one) => one.archivedMs === null && one.properties["email"] === email.toLowerCase());

  const { list, search, readBatch } = createReads({ state, find });

  function create(type: ObjectType, body: string): SandboxResponse {
    const given = Create.safeParse(readJson(body)).data;
    if (given === undefined) return invalid("Invalid input JSON");
    const refused = refuseValues(type, given.properties);
    if (refused !== null) return invalid(refused);
    if (type === "calls" && !given.properties["hs_timestamp"])
      return invalid("Error creating CALL. Some required properties were not set.", { properties: ["hs_timestamp"] });
    const taken = type === "contacts" ? withEmail(given.properties["email"]) : undefined;
    if (taken) return apiError(409, `Contact already exists. Existing ID: ${taken.id}`, { category: "CONFLICT" });
    for (const { to, types } of given.associations)
      if (
        find("contacts", to.id) === undefined ||
        types.some(({ associationTypeId }) => associationTypeId !== associationTypes.callToContact)
      )
        return invalid(`One or more associations are not valid: ${to.id}`);
    // Unguessable, because anyone who knows a call's id can see its page with its notes.
    const id = String(type === "calls" ? randomInt(2 ** 40, 2 ** 48 - 1) : (state.nextId += 1));
    const nowMs = Date.now();
    const at = new Date(nowMs).toISOString();
    const { created, updated } = stampNames[type];
    const properties = { ...toStored(given.properties), hs_object_id: id, [created]: at, [updated]: at };
    const one: CrmObject = { id, properties, history: {}, createdMs: nowMs, updatedMs: nowMs, archivedMs: null };
    state[type].push(one);
    for (const { to } of given.associations)
      associate(state, { callId: id, contactId: find("contacts", to.id)?.id ?? "" });
    store.save();
    if (type === "contacts") report([{ type: "contact.creation", objectId: id }]);
    return json(201, present(type, one, Object.keys(given.properties)));
  }

  function change(type: ObjectType, one: CrmObject, body: string): SandboxResponse {
    const given = Update.safeParse(readJson(body)).data;
    if (given === undefined) return invalid("Invalid input JSON");
    const refused = refuseValues(type, given.properties);
    if (refused !== null) return invalid(refused);
    const taken = type === "contacts" ? withEmail(given.properties["email"]) : undefined;
    if (taken && taken !== one)
      return apiError(409, `Contact already exists. Existing ID: ${taken.id}`, { category: "CONFLICT" });
    const before = one.properties;
    one.properties = toStored({ ...one.properties, ...given.properties });
    stamp(type, one);
    for (const name of Object.keys(given.properties)) {
      const [former, value] = [before[name] ?? "", one.properties[name] ?? ""];
      const known = one.history[name] ?? (former === "" ? [] : [{ value: former, atMs: one.createdMs }]);
      if (value !== former) one.history[name] = [{ value, atMs: one.updatedMs }, ...known];
    }
    if (type === "contacts")
      report(
        Object.entries(given.properties).map(([propertyName, propertyValue]) => {
          return { type: "contact.propertyChange", objectId: one.id, propertyName, propertyValue };
        }),
      );
    return json(200, present(type, one, Object.keys(given.properties)));
  }

  function archive(type: ObjectType, one: CrmObject): SandboxResponse {
    one.archivedMs = Date.now();
    store.save();
    if (type === "contacts") report([{ type: "contact.deletion", objectId: one.id }]);
    return { status: 204, headers: {}, body: "" };
  }

  /** The other contact's id leads to the first from now on, and is in its hs_merged_object_ids. */
  function merge(body: string): SandboxResponse {
    const given = Merge.safeParse(readJson(body)).data;
    const kept = given && find("contacts", given.primaryObjectId);
    const gone = given && find("contacts", given.objectIdToMerge);
    if (!kept || !gone || kept === gone) return invalid("The contacts cannot be merged");
    kept.properties = { ...gone.properties, ...kept.properties };
    const former = [kept, gone].flatMap((one) => one.properties["hs_merged_object_ids"]?.split(";") ?? []);
    kept.properties["hs_merged_object_ids"] = [...new Set([...former, gone.id])].join(";");
    state.contacts = state.contacts.filter((one) => one !== gone);
    for (const id of [...former, gone.id]) state.merged[id] = kept.id;
    stamp("contacts", kept);
    report([{ type: "contact.merge", primaryObjectId: kept.id, mergedObjectIds: [gone.id] }]);
    return json(200, present("contacts", kept, []));
  }

  return (request: { method: string; path: string; query: URLSearchParams; body: string }): SandboxResponse | null => {
    const { method, path, query, body } = request;
    const [, name, rest = ""] = /^\/crm\/v3\/objects\/(contacts|calls)(?:\/(.+))?$/.exec(path) ?? [];
    if (name !== "contacts" && name !== "calls") return null;
    if (rest === "") return method === "GET" ? list(name, query) : method === "POST" ? create(name, body) : null;
    if (method === "POST" && rest === "search") return search(name, body);
    if (method === "POST" && rest === "batch/read") return readBatch(name, body);
    if (method === "POST" && rest === "merge" && name === "contacts") return merge(body);
    const byEmail = name === "contacts" && query.get("idProperty") === "email";
    const one = byEmail ? withEmail(decodeURIComponent(rest)) : find(name, rest, query.get("archived") === "true");
    if (one === undefined) return method === "DELETE" ? { status: 204, headers: {}, body: "" } : notFound();
    if (method === "GET") return json(200, present(name, one, namesIn(query)));
    if (method === "PATCH") return change(name, one, body);
    return method === "DELETE" ? archive(name, one) : null;
  };
}

const toStored = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === "" ? [] : [[name, name === "email" ? value.toLowerCase() : value]],
    ),
  );
