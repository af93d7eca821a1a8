import type { Endpoint } from "@leadline/contract/endpoint";
import { organisationHeader } from "@leadline/contract/organisation-header";
import { commonProblems, type ProblemCode, ProblemDocument, problemTypes } from "@leadline/contract/problem";
import { z } from "zod";

type Json = Record<string, unknown>;

/** Converts the contract to OpenAPI 3.1, whose schemas are JSON Schema 2020-12, which is what zod generates. */
export function toOpenApi(endpoints: Record<string, Endpoint>, publicUrl: URL | null): Json {
  const paths: Record<string, Json> = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = `/api${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(operationId, endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Leadline", version: "1", summary: "Browser-based CRM calling", license: { name: "MIT" } },
    servers: [{ url: publicUrl?.origin ?? "/" }],
    paths,
    components: {
      schemas: { Problem: schemaOf(ProblemDocument, "output") },
      securitySchemes: { accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
  };
}

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const organisationParameter: Json = {
  name: organisationHeader,
  in: "header",
  description: "The organisation the request is for. Refused if it isn’t the active one",
  schema: { type: "string", format: "uuid" },
};

function operation(operationId: string, endpoint: Endpoint): Json {
  const [status, answer] = endpoint.success;
  const content =
    answer === "events"
      ? { "text/event-stream": { schema: { type: "string" } } }
      : answer === "file"
        ? { "application/octet-stream": {} }
        : answer && { "application/json": { schema: schemaOf(answer, "output") } };
  return {
    operationId,
    summary: endpoint.summary,
    ...(endpoint.access === "public" ? {} : { security: [{ accessToken: [] }] }),
    "x-access": endpoint.access,
    parameters: [
      ...parameters("path", endpoint.params),
      ...parameters("query", endpoint.query),
      ...parameters("header", endpoint.headers),
      ...(endpoint.access === "public" ? [] : [organisationParameter]),
    ],
    ...(endpoint.body || endpoint.files || endpoint.bytes
      ? { requestBody: { required: true, content: requestContent(endpoint) } }
      : {}),
    responses: { [status]: { description: "Success", ...(content ? { content } : {}) }, ...problemResponses(endpoint) },
  };
}

function requestContent({ body, files, urlEncoded, bytes }: Endpoint): Json {
  if (bytes) return { "application/json": { schema: {} }, "application/x-www-form-urlencoded": { schema: {} } };
  const fields = body ? schemaOf(body, "input") : { type: "object" };
  if (urlEncoded) return { "application/x-www-form-urlencoded": { schema: fields } };
  if (!files) return { "application/json": { schema: fields } };
  const file = { type: "string", contentMediaType: "application/octet-stream", maxLength: files.largestBytes };
  const parts = { type: "object", properties: { "file[]": { type: "array", items: file, maxItems: files.most } } };
  return { "multipart/form-data": { schema: { allOf: [fields, parts] } } };
}

function parameters(place: "path" | "query" | "header", schema: z.ZodObject | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

/** The problems that an endpoint can return: its own, the general ones, and those its access implies. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const implied: ProblemCode[] = [];
  if (endpoint.access !== "public") implied.push("not-signed-in");
  if (endpoint.access !== "public" && endpoint.access !== "signed-in") implied.push("no-organisation");
  if (/^(member|admin|owner)$/.test(endpoint.access)) implied.push("not-allowed");
  if (endpoint.body || endpoint.files || endpoint.bytes) implied.push("body-too-large", "media-type-not-supported");
  if (endpoint.files) implied.push("limit-reached");
  return [...new Set([...endpoint.problems, ...implied, ...commonProblems])];
}

function problemResponses(endpoint: Endpoint): Json {
  const byStatus = Object.groupBy(problemsOf(endpoint), (code) => problemTypes[code].status);
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      { description: (codes ?? []).map((code) => `${code}: ${problemTypes[code].title}`).join("; "), content },
    ]),
  );
}
