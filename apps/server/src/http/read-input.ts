import type { Endpoint } from "@leadline/contract/endpoint";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { Problem } from "./problem.ts";

export interface ReadInput {
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
}

const places = ["params", "query", "headers", "body"] as const;

/** Reads what the entry declares and nothing else: a field it does not name never reaches a handler. */
export function readInput(endpoint: Endpoint, request: FastifyRequest): ReadInput {
  const input: ReadInput = { params: undefined, query: undefined, headers: undefined, body: undefined };
  const issues: z.core.$ZodIssue[] = [];
  for (const place of places) {
    const schema = endpoint[place];
    if (schema === undefined) continue;
    const parsed = schema.safeParse(request[place] ?? (place === "body" ? {} : undefined));
    if (parsed.success) input[place] = parsed.data;
    else issues.push(...parsed.error.issues);
  }
  if (issues.length > 0) throw invalidInput(issues);
  return input;
}

export function invalidInput(issues: readonly Pick<z.core.$ZodIssue, "path" | "message">[]): Problem {
  const errors = issues.map((issue) => ({ field: issue.path.map(String).join("."), message: issue.message }));
  const messages = [...new Set(errors.map((error) => error.message))];
  return new Problem("invalid-input", messages.join(" "), { errors });
}
