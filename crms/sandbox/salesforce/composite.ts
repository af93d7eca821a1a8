import { z } from "zod";
import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { apiError } from "./errors.ts";
import type { Store } from "./store.ts";

const Body = z.object({
  allOrNone: z.boolean().default(false),
  compositeRequest: z
    .array(
      z.object({
        method: z.enum(["GET", "POST", "PATCH", "DELETE"]),
        url: z.string().startsWith("/services/data/"),
        referenceId: z.string().regex(/^[a-zA-Z]\w*$/),
        body: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1)
    .max(25),
});

interface Subanswer {
  body: unknown;
  httpHeaders: Record<string, string>;
  httpStatusCode: number;
  referenceId: string;
}
const halted = {
  errorCode: "PROCESSING_HALTED",
  message: "The transaction was rolled back since another operation in the same transaction failed.",
};

/**
 * Several requests in one, each of which may use results of those before it as `@{reference.field}` (REST API, Composite).
 * With allOrNone, a failure takes back the others.
 */
export function createComposite({ state, together }: Store, answer: (request: SandboxRequest) => SandboxResponse) {
  const run = (text: string): SandboxResponse => {
    const given = Body.safeParse(parse(text)).data;
    if (given === undefined) return apiError(400, "JSON_PARSER_ERROR", "The body cannot be read.");
    const before = structuredClone({ leads: state.leads, deleted: state.deleted, tasks: state.tasks });
    const results = new Map<string, unknown>();
    const answers = given.compositeRequest.map(({ method, url, referenceId, body }): Subanswer => {
      const request = {
        method,
        url: fillIn(url, results),
        headers: {},
        body: fillIn(JSON.stringify(body ?? null), results),
      };
      const answered = answer(request);
      const read: unknown = answered.body === "" ? null : JSON.parse(answered.body);
      results.set(referenceId, read);
      return { body: read, httpHeaders: {}, httpStatusCode: answered.status, referenceId };
    });
    const failed = answers.find(({ httpStatusCode }) => httpStatusCode >= 400);
    if (failed === undefined || !given.allOrNone) return json(200, { compositeResponse: answers });
    Object.assign(state, before);
    const compositeResponse = answers.map((one) =>
      one === failed ? one : { ...one, body: [halted], httpStatusCode: 400 },
    );
    return json(200, { compositeResponse });
  };
  return (text: string): SandboxResponse => together(() => run(text));
}

const fillIn = (text: string, results: ReadonlyMap<string, unknown>): string =>
  text.replaceAll(/@\{(\w+)\.(\w+)\}/g, (_, reference: string, field: string) =>
    String(Object(results.get(reference))[field] ?? ""),
  );

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
