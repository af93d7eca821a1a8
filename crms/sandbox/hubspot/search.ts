import { z } from "zod";
import type { SandboxResponse } from "../exchange.ts";
import { invalid } from "./errors.ts";
import { propertiesOf, readTime } from "./properties.ts";
import type { CrmObject, ObjectType } from "./store.ts";

const operators = [
  "EQ",
  "NEQ",
  "LT",
  "LTE",
  "GT",
  "GTE",
  "BETWEEN",
  "IN",
  "NOT_IN",
  "HAS_PROPERTY",
  "NOT_HAS_PROPERTY",
  "CONTAINS_TOKEN",
  "NOT_CONTAINS_TOKEN",
] as const;
const Filter = z.object({
  propertyName: z.string(),
  operator: z.enum(operators),
  value: z.coerce.string().optional(),
  highValue: z.coerce.string().optional(),
  values: z.array(z.coerce.string()).optional(),
});
type Filter = z.output<typeof Filter>;

const Sort = z.union([
  z.object({ propertyName: z.string(), direction: z.enum(["ASCENDING", "DESCENDING"]).default("ASCENDING") }),
  z.string().transform((text) => ({
    propertyName: text.replace(/^-/, ""),
    direction: text.startsWith("-") ? ("DESCENDING" as const) : ("ASCENDING" as const),
  })),
]);
const Search = z.object({
  query: z.string().max(3_000).optional(),
  filterGroups: z.array(z.object({ filters: z.array(Filter) })).default([]),
  sorts: z.array(Sort).default([]),
  properties: z.array(z.string()).optional(),
  limit: z.coerce.number().int().default(10),
  after: z.coerce.string().optional(),
});

/** A query returns at most this many results over all pages. */
export const maxResults = 10_000;
const searchedByQuery = ["firstname", "lastname", "email", "phone", "company"];

interface Found {
  total: number;
  page: CrmObject[];
  /** Where the next page starts. Null at the end. */
  after: string | null;
  properties: string[] | undefined;
}

/**
 * POST /crm/v3/objects/{type}/search: groups are combined with OR, filters within one with AND. Archived records are
 * never found.
 */
export function searchObjects(
  type: ObjectType,
  all: readonly CrmObject[],
  body: string,
): { found: Found } | { refused: SandboxResponse } {
  const parsed = Search.safeParse(readJson(body));
  if (!parsed.success) return { refused: invalid(`Invalid input JSON: ${parsed.error.issues[0]?.message}`) };
  const { query, filterGroups, sorts, limit, after, properties } = parsed.data;
  const filters = filterGroups.flatMap((group) => group.filters);
  const refused = refuseSearch(type, { groups: filterGroups, sorts: sorts.length, limit });
  if (refused !== null) return { refused: invalid(refused) };
  const start = after === undefined ? 0 : Number(after);
  if (!Number.isSafeInteger(start) || start < 0) return { refused: invalid(`Invalid paging token: ${after}`) };
  if (start + limit > maxResults)
    return { refused: invalid(`Paging through more than ${maxResults} results of one search is not supported.`) };
  const unknown = [...filters, ...sorts].find(({ propertyName }) => typeOf(type, propertyName) === null);
  if (unknown !== undefined)
    return { refused: invalid(`There was a problem with the request: unknown property ${unknown.propertyName}`) };
  const [sort = { propertyName: "createdate", direction: "ASCENDING" as const }] = sorts;
  const turn = sort.direction === "ASCENDING" ? 1 : -1;
  const matching = all
    .filter((one) => one.archivedMs === null)
    .filter((one) => filterGroups.length === 0 || filterGroups.some((group) => group.filters.every(holdsOf(type, one))))
    .filter((one) => query === undefined || matchesQuery(one, query))
    .toSorted(
      (a, b) => turn * compare(type, sort.propertyName, valueOf(a, sort.propertyName), valueOf(b, sort.propertyName)),
    );
  const page = matching.slice(start, start + limit);
  const next = start + page.length;
  return {
    found: { total: matching.length, page, after: next < matching.length ? String(next) : null, properties },
  };
}

function refuseSearch(
  _: ObjectType,
  asked: { groups: { filters: Filter[] }[]; sorts: number; limit: number },
): string | null {
  const { groups, sorts, limit } = asked;
  if (limit < 1 || limit > 200) return `limit must be between 1 and 200 (inclusive), it was ${limit}`;
  if (groups.length > 5) return "Too many filterGroups: the most are 5";
  if (groups.some(({ filters }) => filters.length > 6)) return "Too many filters in a group: the most are 6";
  if (groups.reduce((sum, { filters }) => sum + filters.length, 0) > 18) return "Too many filters: the most are 18";
  if (sorts > 1) return "Only one sort is supported";
  return null;
}

const typeOf = (type: ObjectType, name: string) => propertiesOf[type].find((one) => one.name === name)?.type ?? null;
const valueOf = (one: CrmObject, name: string): string | undefined => one.properties[name];

function compare(type: ObjectType, name: string, a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const kind = typeOf(type, name);
  const [left, right] =
    kind === "datetime" ? [readTime(a) ?? 0, readTime(b) ?? 0] : kind === "number" ? [Number(a), Number(b)] : [a, b];
  return left === right ? 0 : left < right ? -1 : 1;
}

const tokens = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Texts are compared case-insensitively. */
const holdsOf =
  (type: ObjectType, one: CrmObject) =>
  ({ propertyName: name, operator, value = "", highValue = "", values = [] }: Filter): boolean => {
    const has = valueOf(one, name);
    const isText = typeOf(type, name) === "string";
    const fold = (text: string) => (isText ? text.toLowerCase() : text);
    const order = (wanted: string) => compare(type, name, has === undefined ? has : fold(has), fold(wanted));
    if (operator === "HAS_PROPERTY") return has !== undefined;
    if (operator === "NOT_HAS_PROPERTY") return has === undefined;
    if (operator === "NEQ") return order(value) !== 0;
    if (operator === "NOT_IN") return !values.some((wanted) => order(wanted) === 0);
    if (operator === "NOT_CONTAINS_TOKEN") return has === undefined || !tokens(has).includes(value.toLowerCase());
    if (has === undefined) return false;
    if (operator === "CONTAINS_TOKEN") return tokens(has).includes(value.toLowerCase());
    if (operator === "IN") return values.some((wanted) => order(wanted) === 0);
    if (operator === "BETWEEN") return order(value) >= 0 && order(highValue) <= 0;
    const by = order(value);
    return { EQ: by === 0, LT: by < 0, LTE: by <= 0, GT: by > 0, GTE: by >= 0 }[operator];
  };

const matchesQuery = (one: CrmObject, query: string): boolean => {
  const texts = searchedByQuery.map((name) => valueOf(one, name)?.toLowerCase() ?? "");
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => texts.some((text) => text.includes(word)));
};

export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
