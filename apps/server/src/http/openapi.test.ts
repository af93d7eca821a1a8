import { endpoints } from "@leadline/contract/endpoints";
import type { Endpoint } from "@leadline/contract/endpoint";
import { expect, test } from "vitest";
import { z } from "zod";
import { organisationHeader } from "@leadline/contract/organisation-header";
import { toOpenApi } from "./openapi.ts";

const Operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() })),
});
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) });
const { paths } = Document.parse(toOpenApi(endpoints, null));

const places = [
  ["path", "params"],
  ["query", "query"],
  ["header", "headers"],
] as const;

const all: [string, Endpoint][] = Object.entries(endpoints);

test.each(all)(
  "the document contains every parameter of %s, and marks those required that its schema requires",
  (_, endpoint) => {
    const told = paths[`/api${endpoint.path}`]?.[endpoint.method.toLowerCase()]?.parameters ?? [];
    for (const [place, part] of places) {
      const schema = endpoint[part];
      const missed = new Set(schema?.safeParse({}).error?.issues.map(({ path: [name] }) => name));
      const known = Object.keys(schema?.shape ?? {}).map((name) => ({ name, required: missed.has(name) }));
      const toldHere = told
        .filter((parameter) => parameter.in === place && parameter.name !== organisationHeader)
        .map(({ name, required = false }) => ({ name, required }));
      expect(toldHere).toEqual(known);
    }
  },
);
