import { askVendor, unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import { openOutbound, type OutboundRequest } from "@leadline/adapter-kit/outbound/open-outbound";
import type { ProvisionerSandbox } from "@leadline/adapter-kit/provisioner";
import { z } from "zod";
import { toProvisionerError } from "./refusals.ts";

const host = "api.telnyx.com";
const timeoutMs = 20_000;
const pageSize = 250;

/** Nested parameters as the API writes them: filter[phone_number][contains]. */
export type Query = { [name: string]: string | number | readonly string[] | Query };

export interface Api {
  get<Shape extends z.ZodType>(path: string, shape: Shape, query?: Query): Promise<z.output<Shape>>;
  /** Each page is asked for once the one before it was used. */
  pages<Shape extends z.ZodType>(path: string, shape: Shape, query?: Query): AsyncGenerator<z.output<Shape>[]>;
  /** All pages at once, for what an account has few of. */
  list<Shape extends z.ZodType>(path: string, shape: Shape, query?: Query): Promise<z.output<Shape>[]>;
  write<Shape extends z.ZodType>(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    shape: Shape,
    body?: object,
  ): Promise<z.output<Shape>>;
  close(): void;
}

export function openApi({ apiKey }: { apiKey: string }, sandbox: ProvisionerSandbox | null): Api {
  const outbound = openOutbound({ onThisMachine: sandbox && { host, address: sandbox.address }, timeoutMs });

  async function send<Shape extends z.ZodType>(
    method: OutboundRequest["method"],
    path: string,
    { shape, query = {}, body }: { shape: Shape; query?: Query; body?: object | undefined },
  ): Promise<z.output<Shape>> {
    const url = new URL(`https://${host}/v2/${path}`);
    for (const [name, value] of pairsOf(query)) url.searchParams.append(name, value);
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(body && { "content-type": "application/json" }),
    };
    const sent = { method, url, headers, ...(body && { body: JSON.stringify(body) }) };
    const { status, json } = await askVendor(outbound, "Telnyx", sent);
    const isGoneAlready = method === "DELETE" && status === 404;
    if (status >= 400 && !isGoneAlready) throw toProvisionerError(status, json);
    const parsed = shape.safeParse(isGoneAlready ? null : json);
    if (parsed.success) return parsed.data;
    throw unreadable("Telnyx", parsed.error);
  }

  const readPage = <Shape extends z.ZodType>(path: string, shape: Shape, query: Query, page: number) =>
    send("GET", path, {
      shape: z.object({ data: z.array(shape), meta: z.object({ total_pages: z.number().optional() }).optional() }),
      query: { ...query, page: { number: page, size: pageSize } },
    });

  async function* pages<Shape extends z.ZodType>(path: string, shape: Shape, query: Query = {}) {
    const first = await readPage(path, shape, query, 1);
    yield first.data;
    for (let page = 2; page <= (first.meta?.total_pages ?? 1); page++)
      yield (await readPage(path, shape, query, page)).data;
  }

  return {
    get: (path, shape, query = {}) => send("GET", path, { shape, query }),
    pages,
    async list(path, shape, query = {}) {
      const all: z.output<typeof shape>[] = [];
      for await (const page of pages(path, shape, query)) all.push(...page);
      return all;
    },
    write: (method, path, shape, body) => send(method, path, { shape, body }),
    close: () => outbound.close(),
  };
}

/** Of a change whose details don't matter; a deletion may answer without content. */
export const Done = z.object({ data: z.looseObject({}) }).nullable();

function pairsOf(query: Query, within = ""): [string, string][] {
  return Object.entries(query).flatMap(([key, value]): [string, string][] => {
    const name = within === "" ? key : `${within}[${key}]`;
    if (typeof value === "string" || typeof value === "number") return [[name, String(value)]];
    if (isList(value)) return value.map((each) => [`${name}[]`, each]);
    return pairsOf(value, name);
  });
}

const isList = (value: readonly string[] | Query): value is readonly string[] => Array.isArray(value);
