import * as fc from "fast-check";
import { awkwardText, awkwardValue, fitting, type JsonSchema, spoiled } from "./arbitrary-values.ts";

/** An operation of an OpenAPI document, with its path and method. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  operationId: string;
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** As sent over the wire. */
export interface WireRequest {
  method: Operation["method"];
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

const boundary = "----edge";

/**
 * Requests to that operation, from valid ones to nonsense. `existing`: identifiers of existing things, by kind;
 * `examples`: bodies that the operation accepts.
 */
export function requestsTo(
  operation: Operation,
  existing: Record<string, string>,
  examples: readonly object[],
): fc.Arbitrary<WireRequest> {
  const { method } = operation;
  const ids = Object.values(existing);
  return fc
    .record({
      address: addresses(operation, existing),
      query: queries(operation, ids),
      body: bodies(operation, ids, examples),
    })
    .map(({ address, query, body }) => ({ method, url: `${address}${query}`, ...body }));
}

/**
 * Identifiers of the kind in the path: `/v1/lead-imports/{id}`, `/v1/members/{userId}`, `/v1/follow-ups/{phoneNumber}`.
 */
function likelyIds(path: string, existing: Record<string, string>): string[] {
  const likely = Object.entries(existing).filter(([kind, id]) => {
    const inPath = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (new RegExp(`${inPath}s?/([a-z]+/)*\\{|\\{${kind}(Id|Sid)`).test(path)) return true;
    return (
      (path.includes("{callSid}") && id.startsWith("CA")) || (path.includes("{phoneNumber}") && id.startsWith("+"))
    );
  });
  return likely.length === 0 ? Object.values(existing) : likely.map(([, id]) => id);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function addresses({ path }: Operation, existing: Record<string, string>): fc.Arbitrary<string> {
  const rawSegments = ["%", "%00", "%ff", "%E0%A4%A", "..", "%2e%2e%2f", ";", "", "null", "-1", "%0d%0a"];
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...likelyIds(path, existing)) },
    { weight: 2, arbitrary: fc.oneof(fc.constantFrom(...Object.values(existing)), fc.uuid()) },
    { weight: 1, arbitrary: fc.constantFrom(...rawSegments) },
    { weight: 1, arbitrary: awkwardText().map((text) => encoded(text).slice(0, 3_000)) },
  );
  return fc.array(segment, { minLength: 3, maxLength: 3 }).map((segments) => {
    let used = 0;
    return path.replaceAll(/\{\w+\}/g, () => segments[used++] ?? "");
  });
}

function queries({ parameters }: Operation, ids: readonly string[]): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const named = known.map(({ name, required, schema }) =>
    fc
      .oneof(
        { weight: required ? 16 : 4, arbitrary: fitting(schema, ids) },
        { weight: 1, arbitrary: awkwardText() },
        { weight: required ? 1 : 15, arbitrary: fc.constant(undefined) },
      )
      .map((value) => (value === undefined ? [] : [`${name}=${encoded(String(value))}`])),
  );
  const strange = fc.constantFrom<string[]>([], [], [], ["nobody=asked"], ["%=%"], ["__proto__[a]=1"], ["a[]=1&a=2"]);
  return fc.tuple(...named, strange).map((parts) => {
    const all = parts.flat();
    return all.length === 0 ? "" : `?${all.join("&")}`;
  });
}

type Body = Pick<WireRequest, "headers" | "payload">;

const json = (value: unknown): Body => ({
  headers: { "content-type": "application/json" },
  payload: JSON.stringify(value) ?? "",
});

function bodies(
  { method, parameters, requestBody }: Operation,
  ids: readonly string[],
  examples: readonly object[],
): fc.Arbitrary<Body> {
  const wrong = nonsense();
  const named = parameters
    .filter((parameter) => parameter.in === "header")
    .map(({ name, required, schema }) =>
      fc
        .oneof(
          { weight: 1, arbitrary: fitting(schema, ids) },
          { weight: required ? 0 : 7, arbitrary: fc.constant(undefined) },
        )
        .map((value) => (value === undefined ? {} : { [name]: encoded(String(value)) })),
    );
  const headers = fc.tuple(...named).map((parts): Record<string, string> => Object.assign({}, ...parts));
  const withHeaders = (body: fc.Arbitrary<Body>): fc.Arbitrary<Body> =>
    fc.tuple(body, headers).map(([one, more]): Body => ({ ...one, headers: { ...one.headers, ...more } }));
  if (requestBody === undefined) {
    const none = fc.constant<Body>({ headers: {} });
    return method === "GET" ? none : fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: wrong });
  }
  const form = requestBody.content["multipart/form-data"];
  if (form) return fc.oneof({ weight: 4, arbitrary: forms(ids) }, { weight: 1, arbitrary: wrong });
  const schema = requestBody.content["application/json"]?.schema ?? {};
  const known = examples.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...examples).map(json) }];
  return withHeaders(
    fc.oneof(
      ...known,
      { weight: 4, arbitrary: fitting(schema, ids).map(json) },
      { weight: 4, arbitrary: spoiled(schema, ids).map(json) },
      { weight: 2, arbitrary: wrong },
    ),
  );
}

/** Bodies that aren't JSON, are the wrong JSON, or have another content type. */
function nonsense(): fc.Arbitrary<Body> {
  const deep = "[".repeat(50_000);
  const payloads = ["{", "", "null", '{"a":1}{"b":2}', '{"__proto__":{"a":1}}', '"\\ud800"', "[[1e999]]", deep, "\0"];
  const types = [
    "application/json",
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "",
    "/",
    "application/json; charset=latin-9",
  ];
  return fc.oneof(
    fc.tuple(fc.constantFrom(...payloads), fc.constantFrom(...types)).map(([payload, type]) => ({
      headers: { "content-type": type },
      payload,
    })),
    fc.constant({ headers: { "content-type": "application/json" }, payload: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
    fc.constant({ headers: { "content-type": "application/json" }, payload: `"${"x".repeat(300_000)}"` }),
    awkwardValue().map(json),
  );
}

function forms(ids: readonly string[]): fc.Arbitrary<Body> {
  const fileNames = [
    "far.pdf",
    "far.csv",
    "far.png",
    "",
    "../far.csv",
    "far\0.csv",
    "ü😀.csv",
    `${"x".repeat(400)}.csv`,
  ];
  const csv = "First name,Last name,Email,Phone\nFar,Away,far@away.example,+12025550100\n";
  const contents = [
    "%PDF-1.7",
    csv,
    "",
    "\0",
    "\ufeffa;b\n1;2",
    `a${"\n".repeat(999)}`,
    `"${csv}`,
    csv.replace("Far", "a\0b"),
  ];
  const part = fc.oneof(
    fc
      .tuple(
        fc.constantFrom("file[]", "file", "__proto__"),
        fc.constantFrom(...fileNames),
        fc.constantFrom(...contents),
      )
      .map(([name, fileName, content]) => `name="${name}"; filename="${fileName}"\r\n\r\n${content}`),
    fc
      .tuple(
        fc.constantFrom("entity", "entityId", "nobodyAsked", "__proto__", "toString"),
        fc.oneof(
          fc.constantFrom("lead", "user", ...ids),
          awkwardText().map((text) => text.slice(0, 20_000)),
        ),
      )
      .map(([name, value]) => `name="${name}"\r\n\r\n${value.toWellFormed()}`),
  );
  const endings = fc.constantFrom(
    `--${boundary}--\r\n`,
    `--${boundary}--\r\n`,
    `--${boundary}--\r\n`,
    "",
    `--${boundary}`,
  );
  return fc.tuple(fc.array(part, { maxLength: 4 }), endings).map(([parts, ending]) => ({
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    payload: `${parts.map((one) => `--${boundary}\r\ncontent-disposition: form-data; ${one}\r\n`).join("")}${ending}`,
  }));
}
