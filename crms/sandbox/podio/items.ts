import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import { apps, type App, type Field } from "./apps.ts";
import { apiError, invalid, notFound } from "./errors.ts";
import { profileOf } from "./contacts.ts";
import type { ItemEvent } from "./hooks.ts";
import { byline, timeOf, wholeSecond } from "./show.ts";
import type { Item, Store } from "./store.ts";

const FilterBody = z.object({
  sort_by: z.string().default("created_on"),
  sort_desc: z.boolean().default(true),
  filters: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
  limit: z.int().min(1).default(30),
  offset: z.int().min(0).default(0),
  remember: z.boolean().default(false),
});
const ItemBody = z.object({
  revision: z.int().optional(),
  external_id: z.string().max(255).nullish(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

/** An item's page: the path ends with its number in the app. */
export const itemsPath = "/sandbox-trading/sales/apps/leads/items/";
const numberInApp = ({ itemId }: Item): number => itemId % 100_000;
export const pathOfItem = (item: Item): string => itemsPath + numberInApp(item);

const sortKeys: Record<string, (item: Item) => number> = {
  created_on: ({ createdMs }) => createdMs,
  last_edit_on: ({ editedMs }) => editedMs,
  item_id: ({ itemId }) => itemId,
  app_item_id: ({ itemId }) => itemId,
};

/** The items of apps: filter, add, update, delete. */
export function createItems(
  store: Store,
  { maxItems, report }: { maxItems: number; report: (event: ItemEvent, item: Item) => void },
) {
  const { state } = store;

  function filter(app: App, body: unknown): SandboxResponse {
    const asked = FilterBody.safeParse(body ?? {});
    if (!asked.success) return invalid(asked.error.issues[0]?.message ?? "Invalid filter");
    const { sort_by, sort_desc, limit, offset, filters } = asked.data;
    const key = sortKeys[sort_by];
    if (key === undefined) return invalid(`'${sort_by}' is not a valid sort key`);
    if (limit > 500) return invalid("'limit' must not be larger than 500");
    if (filters !== undefined && Object.keys(filters).length > 0)
      return invalid("The sandbox doesn't support filters, only sort, limit and offset");
    const all = state.items.filter(({ appId }) => appId === app.appId);
    const sorted = all.toSorted((a, b) => (key(a) - key(b) || a.itemId - b.itemId) * (sort_desc ? -1 : 1));
    const items = sorted.slice(offset, offset + Math.min(limit, maxItems)).map((item) => show(app, item));
    return json(200, { total: all.length, filtered: all.length, items });
  }

  function add(app: App, body: unknown): SandboxResponse {
    const itemId = state.nextId;
    const nowMs = wholeSecond(Date.now());
    const stamps = { revision: 0, createdMs: nowMs, editedMs: nowMs };
    const item: Item = { itemId, appId: app.appId, externalId: null, values: {}, ...stamps };
    const refused = write(app, item, body);
    if (refused !== null) return refused;
    state.nextId += 1;
    state.items.push(item);
    store.save();
    report("item.create", item);
    return json(200, { item_id: itemId, title: titleOf(app, item) });
  }

  /** With a revision, a later one is a conflict (Items, Update item), whichever fields it changed. */
  function update(app: App, item: Item, body: unknown): SandboxResponse {
    const { revision } = ItemBody.safeParse(body).data ?? {};
    if (revision !== undefined && revision !== item.revision)
      return apiError(409, "conflict", "The item has been changed since the given revision");
    const refused = write(app, item, body);
    if (refused !== null) return refused;
    item.revision += 1;
    item.editedMs = wholeSecond(Date.now());
    store.save();
    report("item.update", item);
    return json(200, { revision: item.revision, title: titleOf(app, item) });
  }

  function remove(item: Item): SandboxResponse {
    state.items.splice(state.items.indexOf(item), 1);
    state.comments = state.comments.filter(({ itemId }) => itemId !== item.itemId);
    store.save();
    report("item.delete", item);
    return { status: 204, headers: {}, body: "" };
  }

  return ({ method, path, body }: { method: string; path: string; body: unknown }): SandboxResponse | null => {
    const [, appId, verb] = /^\/item\/app\/(\d+)\/(filter\/)?$/.exec(path) ?? [];
    if (appId !== undefined && method === "POST") {
      const app = apps.find((one) => one.appId === Number(appId));
      if (app === undefined) return notFound();
      return verb === undefined ? add(app, body) : filter(app, body);
    }
    const [, ofApp, given] = /^\/item\/app\/(\d+)\/external_id\/([^/]+)$/.exec(path) ?? [];
    if (ofApp !== undefined && method === "GET") {
      const app = apps.find((one) => one.appId === Number(ofApp));
      const found = state.items.find(
        (one) => one.appId === app?.appId && one.externalId === decodeURIComponent(given ?? ""),
      );
      return app === undefined || found === undefined ? notFound() : json(200, show(app, found));
    }
    const itemId = Number(/^\/item\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(itemId)) return null;
    const item = state.items.find((one) => one.itemId === itemId);
    const app = apps.find((one) => one.appId === item?.appId);
    if (item === undefined || app === undefined) return notFound();
    if (method === "GET") return json(200, show(app, item));
    if (method === "PUT") return update(app, item, body);
    return method === "DELETE" ? remove(item) : null;
  };
}

/** Null on success. An empty list removes a field's values. */
function write(app: App, item: Item, body: unknown): SandboxResponse | null {
  const given = ItemBody.safeParse(body ?? {});
  if (!given.success) return invalid("The fields are not an object");
  const { external_id: ownId } = given.data;
  const values: Item["values"] = {};
  for (const [key, value] of Object.entries(given.data.fields)) {
    const field = app.fields.find(({ fieldId, externalId }) => String(fieldId) === key || externalId === key);
    if (field === undefined || field.status !== "active") return invalid(`No field with the id ${key} found`);
    const read = readValues(field, value);
    if (field.type === "contact" && read.some(({ value: profile }) => Object(profile).name === undefined))
      return invalid(`No contact with the profile id ${String(value)} found`);
    const wrong =
      field.type === "email" ? read.find((one) => !/^[^@\s]+@[^@\s]+$/.test(String(one["value"]))) : undefined;
    if (wrong !== undefined) return invalid(`'${String(wrong["value"])}' is not a valid email address`);
    values[String(field.fieldId)] = read;
  }
  item.values = { ...item.values, ...values };
  if (ownId !== undefined) item.externalId = ownId;
  return null;
}

function readValues(field: Field, value: unknown): Record<string, unknown>[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((one: unknown) => {
    if (typeof one === "object" && one !== null) return { ...one };
    // A contact is written as the number of its profile, and read as the whole of it.
    if (field.type === "contact") return { value: profileOf(one) ?? { profile_id: one } };
    if (field.type !== "category") return { value: one };
    const options = field.settings["options"];
    const option = Array.isArray(options) ? options.find(({ id }) => id === one) : undefined;
    return { value: option ?? { id: one, text: String(one) } };
  });
}

export function titleOf(app: App, item: Item): string {
  const first = app.fields.find(({ fieldId }) => (item.values[String(fieldId)] ?? []).length > 0);
  return String(item.values[String(first?.fieldId)]?.[0]?.["value"] ?? "");
}

/** Omits fields without a value. */
function show(app: App, item: Item) {
  const revision = (number: number, ms: number) => ({
    revision: number,
    app_revision: 1,
    ...byline,
    created_on: timeOf(ms),
  });
  return {
    item_id: item.itemId,
    app: { app_id: app.appId, name: app.name, item_name: app.itemName },
    app_item_id: numberInApp(item),
    external_id: item.externalId,
    title: titleOf(app, item),
    link: `https://podio.com${pathOfItem(item)}`,
    initial_revision: revision(0, item.createdMs),
    current_revision: revision(item.revision, item.editedMs),
    created_on: timeOf(item.createdMs),
    last_event_on: timeOf(item.editedMs),
    fields: app.fields.flatMap((field) => {
      const values = item.values[String(field.fieldId)] ?? [];
      const { fieldId: field_id, externalId: external_id, type, label } = field;
      return values.length === 0 ? [] : [{ field_id, external_id, type, label, values }];
    }),
  };
}
