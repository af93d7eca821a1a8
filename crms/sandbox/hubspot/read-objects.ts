import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import { invalid } from "./errors.ts";
import { constantProperties, defaultProperties } from "./properties.ts";
import { readJson, searchObjects } from "./search.ts";
import type { CrmObject, ObjectType, State } from "./store.ts";

const BatchRead = z.object({
  properties: z.array(z.string()).default([]),
  propertiesWithHistory: z.array(z.string()).default([]),
  inputs: z.array(z.object({ id: z.coerce.string() })).max(100),
});

/** Reads several objects: a list in the order of ids, a search, and a batch by ids. */
export function createReads({ state, find }: { state: State; find: FindObject }) {
  function list(type: ObjectType, query: URLSearchParams): SandboxResponse {
    const limit = Number(query.get("limit") ?? 10);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100)
      return invalid(`limit must be between 1 and 100 (inclusive), it was ${query.get("limit")}`);
    const after = Number(query.get("after") ?? 0);
    if (Number.isNaN(after)) return invalid(`Invalid paging token: ${query.get("after")}`);
    const archived = query.get("archived") === "true";
    const names = namesIn(query);
    const rest = state[type]
      .filter((one) => (one.archivedMs !== null) === archived && Number(one.id) > after)
      .toSorted((a, b) => Number(a.id) - Number(b.id));
    const page = rest.slice(0, limit);
    const last = page.at(-1);
    const link = `https://api.hubapi.com/crm/v3/objects/${type}?after=${last?.id}`;
    const paging = rest.length > page.length && last ? { paging: { next: { after: last.id, link } } } : {};
    return json(200, { results: page.map((one) => present(type, one, names)), ...paging });
  }

  function search(type: ObjectType, body: string): SandboxResponse {
    const answer = searchObjects(type, state[type], body);
    if ("refused" in answer) return answer.refused;
    const { total, page, after, properties } = answer.found;
    const paging = after === null ? {} : { paging: { next: { after } } };
    return json(200, { total, results: page.map((one) => present(type, one, properties)), ...paging });
  }

  function readBatch(type: ObjectType, body: string): SandboxResponse {
    const given = BatchRead.safeParse(readJson(body)).data;
    if (given === undefined) return invalid("Invalid input JSON");
    const found = given.inputs.flatMap(({ id }) => find(type, id) ?? []);
    const at = new Date().toISOString();
    const { properties, propertiesWithHistory: named } = given;
    if (named.length > 0 && given.inputs.length > 50) return invalid("The maximum number of inputs is 50");
    const results = found.map((one) => ({
      ...present(type, one, properties),
      ...(named.length > 0 && { propertiesWithHistory: historyOf(one, named) }),
    }));
    // If some are missing, the status says that the response has more than one outcome.
    const status = found.length === given.inputs.length ? 200 : 207;
    return json(status, { status: "COMPLETE", results, startedAt: at, completedAt: at });
  }

  return { list, search, readBatch };
}

/** Null if there is none, or it is archived and `archived` isn't requested. */
export type FindObject = (type: ObjectType, id: string, archived?: boolean) => CrmObject | undefined;

/** Repeated parameters, or comma-separated. */
export function namesIn(query: URLSearchParams): string[] | undefined {
  const names = query.getAll("properties").flatMap((text) => text.split(","));
  return names.length === 0 ? undefined : names;
}

/** Newest first. A property that has always been empty has none. */
function historyOf({ history, properties, createdMs }: CrmObject, names: readonly string[]): object {
  const versions = (name: string) => {
    const value = properties[name];
    return history[name] ?? (value === undefined ? [] : [{ value, atMs: createdMs }]);
  };
  const show = ({ value, atMs }: { value: string; atMs: number }) => {
    return { value, timestamp: new Date(atMs).toISOString(), sourceType: "INTEGRATION" };
  };
  return Object.fromEntries(names.map((name) => [name, versions(name).map(show)]));
}

/** A requested property without a value is null. */
export function present(type: ObjectType, one: CrmObject, asked: readonly string[] | undefined): object {
  const names = [...new Set([...(asked ?? defaultProperties[type]), ...constantProperties[type]])];
  const { id, createdMs, updatedMs, archivedMs } = one;
  return {
    id,
    properties: Object.fromEntries(names.map((name) => [name, one.properties[name] ?? null])),
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(updatedMs).toISOString(),
    archived: archivedMs !== null,
    ...(archivedMs === null ? {} : { archivedAt: new Date(archivedMs).toISOString() }),
  };
}
