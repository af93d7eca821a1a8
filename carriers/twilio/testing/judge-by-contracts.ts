import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { OpenAPIBackend } from "openapi-backend";

const files = [
  "twilio_api_v2010.json",
  "twilio_trunking_v1.json",
  "twilio_pricing_v1.json",
  "twilio_pricing_v2.json",
  "twilio_numbers_v2.json",
  "twilio_voice_v1.json",
];

/** Reads Twilio's OpenAPI documents, and holds every exchange against them. */
export async function judgeByContracts(folder: string) {
  const backends = await Promise.all(files.map((file) => openContract(join(folder, file))));
  const violations: string[] = [];
  let judged = 0;

  function judge(method: string, url: string, { form, status, body }: Exchange): void {
    judged++;
    const path = url.split("?", 1)[0] ?? url;
    const query = Object.fromEntries(new URL(url, "http://judge").searchParams);
    const request = {
      method,
      path,
      query,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      ...(method === "POST" && { body: typed(form) }),
    };
    const backend = backends.find(({ router }) => router.matchOperation(request) !== undefined);
    const operation = backend?.router.matchOperation(request);
    if (!backend || !operation) return void violations.push(`${method} ${path}: no such operation`);
    const asked = backend.validateRequest(request, operation);
    for (const error of asked.errors ?? [])
      violations.push(`${method} ${path}: request ${error.instancePath} ${error.message}`);
    if (status >= 400 || body === "") return;
    const answered = backend.validateResponse(JSON.parse(body), operation, status);
    for (const error of answered.errors ?? [])
      violations.push(`${method} ${path}: answer ${status} ${error.instancePath} ${error.message}`);
  }

  return {
    violations: () => [...new Set(violations)],
    judged: () => judged,
    forget: () => violations.splice(0),
    /** A proxy in front of the sandbox. */
    async standBefore(target: URL) {
      const server = createServer((incoming, outgoing) => {
        void (async () => {
          const body = await text(incoming);
          const { method = "GET", url = "/" } = incoming;
          const headers = { authorization: incoming.headers.authorization ?? "" };
          const sent = { method, headers, ...(body !== "" && { body }) };
          const answer = await fetch(new URL(url, target), sent);
          const answered = await answer.text();
          judge(method, url, { form: body, status: answer.status, body: answered });
          outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(answered);
        })().catch((error: unknown) => {
          violations.push(`${incoming.method} ${incoming.url}: ${String(error)}`);
          outgoing.destroy();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const listening = server.address();
      const port = typeof listening === "object" ? listening?.port : undefined;
      return {
        address: new URL(`http://127.0.0.1:${port}`),
        async close() {
          server.closeAllConnections();
          await new Promise<void>((resolve) => server.close(() => resolve()));
        },
      };
    },
  };
}

interface Exchange {
  form: string;
  status: number;
  body: string;
}

/** A form's values, as the types that the contract's schema has for them. */
const typed = (form: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(form)].map(([name, value]) => [
      name,
      value === "true" ? true : value === "false" ? false : /^\d{1,9}$/.test(value) ? Number(value) : value,
    ]),
  );

/** OpenAPI 3.0 lets `nullable` stand without a type, where it says nothing; ajv refuses that. */
function withoutBareNullable(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("nullable" in value) || "type" in value) return value;
  const { nullable: _nullable, ...rest } = value;
  return rest;
}

async function openContract(file: string) {
  const backend = new OpenAPIBackend({
    definition: JSON.parse(readFileSync(file, "utf8"), withoutBareNullable),
    quick: true,
    strict: false,
    ajvOpts: { strict: false, coerceTypes: true, validateFormats: false },
  });
  await backend.init();
  return backend;
}
