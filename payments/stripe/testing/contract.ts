import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse as parseQuery } from "qs";
import { parse as parseYaml } from "yaml";

const folder = join(process.env["CONTRACTS_DIR"] ?? "../shared/contracts", "stripe");

export interface Contract {
  /** A made-up object of this kind, as Stripe returns it. */
  fixture(kind: string): Record<string, unknown>;
  /** A request's errors according to ajv. Empty if it is valid. */
  violations(request: { method: string; path: string; query: string; body: string }): string[];
}

const operations = {
  "POST /v1/checkout/sessions": /^\/v1\/checkout\/sessions$/,
  "GET /v1/checkout/sessions/{session}": /^\/v1\/checkout\/sessions\/[^/]+$/,
  "POST /v1/checkout/sessions/{session}/expire": /^\/v1\/checkout\/sessions\/[^/]+\/expire$/,
  "POST /v1/payment_intents": /^\/v1\/payment_intents$/,
  "GET /v1/payment_intents": /^\/v1\/payment_intents$/,
  "GET /v1/payment_intents/{intent}": /^\/v1\/payment_intents\/[^/]+$/,
  "GET /v1/disputes": /^\/v1\/disputes$/,
};

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
}

/** Stripe's OpenAPI document and fixtures. Null if this machine has no copy. */
export const contract = existsSync(folder) ? readContract() : null;

function readContract(): Contract {
  const document = readFileSync(join(folder, "spec3.2023-09-12.yaml"), "utf8");
  const { resources } = JSON.parse(readFileSync(join(folder, "fixtures3.json"), "utf8")) as {
    resources: Record<string, Record<string, unknown>>;
  };
  const ajv = new Ajv({ strict: false, coerceTypes: "array", validateFormats: false, allErrors: true });
  const judges = Object.entries(operations).map(([name, pattern]) => {
    const [method = "", path = ""] = name.split(" ");
    const operation = readPath(document, path)[method.toLowerCase()];
    if (!operation) throw new Error(`the contract has no ${name}`);
    const body = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema ?? {};
    const asked = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    const query = {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(asked.map(({ name: key, schema }) => [key, schema])),
      required: asked.filter(({ required }) => required).map(({ name: key }) => key),
    };
    return { method, pattern, body: ajv.compile(body), query: ajv.compile(query) };
  });
  return {
    fixture: (kind) => structuredClone(resources[kind] ?? {}),
    violations({ method, path, query, body }) {
      const judge = judges.find((each) => each.method === method && each.pattern.test(path));
      if (!judge) return [`${method} ${path} is not in the contract`];
      const parts = [
        [judge.query, query],
        [judge.body, body],
      ] as const;
      return parts.flatMap(([validate, text]) =>
        validate(parseQuery(text, { depth: 10, allowDots: false }))
          ? []
          : (validate.errors ?? []).map((error) => `${method} ${path}${error.instancePath}: ${error.message}`),
      );
    },
  };
}

/** Reads one path, because parsing all four megabytes takes seconds. */
function readPath(document: string, path: string): Record<string, Operation> {
  const begin = document.search(new RegExp(`^  ["']?${path.replaceAll(/[{}/]/g, String.raw`\$&`)}["']?:$`, "m"));
  const rest = document.slice(document.indexOf("\n", begin) + 1);
  const end = rest.search(/^ {0,2}\S/m);
  return parseYaml(rest.slice(0, end)) as Record<string, Operation>;
}
