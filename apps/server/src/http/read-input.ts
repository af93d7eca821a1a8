import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "./problem.ts";
import type { Identity, Route } from "./route.ts";
import { messageForIssue } from "./message-for-issue.ts";

export interface ReadInput {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

/** What is invalid, and where. */
export type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

const places = ["params", "query", "headers", "body"] as const;

/** Reads only what the endpoint declares: an undeclared field never reaches a handler. */
export async function readInput(
  { endpoint, furtherIssues }: Pick<Route, "endpoint" | "furtherIssues">,
  request: FastifyRequest,
  caller: Identity | null,
): Promise<ReadInput> {
  const input: ReadInput = { params: undefined, query: undefined, headers: undefined, body: undefined };
  const issues: Issue[] = [];
  for (const place of places) {
    const schema = endpoint[place];
    if (schema === undefined) continue;
    if (place === "body") refuseLongLists(request.body);
    const parsed = schema.safeParse(request[place] ?? (place === "body" ? {} : undefined), { error: messageForIssue });
    if (parsed.success) input[place] = parsed.data;
    else issues.push(...parsed.error.issues);
  }
  if (issues.length === 0) return input;
  const { params, body } = request;
  throw invalidInput([...issues, ...((await furtherIssues?.({ caller, params, body })) ?? [])]);
}

/** More than any endpoint accepts. Every element could have its own error message. */
const longestList = 1_000;

function refuseLongLists(body: unknown): void {
  const tooLong = Object.entries(body ?? {}).find(([, value]) => Array.isArray(value) && value.length > longestList);
  if (tooLong) throw invalidInput([{ path: [tooLong[0]], message: `Send at most ${longestList} of these.` }]);
}

export function invalidInput(issues: readonly Issue[]): Problem {
  const errors = issues.map((issue) => ({ field: issue.path.map(String).join("."), message: issue.message }));
  const messages = [...new Set(errors.map((error) => error.message))];
  return new Problem("invalid-input", messages.join(" "), { errors });
}
