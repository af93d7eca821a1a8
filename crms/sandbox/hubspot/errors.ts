import { randomUUID } from "node:crypto";
import { json, type SandboxResponse } from "../exchange.ts";

interface Details {
  category: string;
  context?: Record<string, string[]>;
  errors?: { message: string; context?: Record<string, string[]> }[];
}

/** The API's errors are objects with a category and a correlation id. */
export const apiError = (status: number, message: string, details: Details): SandboxResponse =>
  json(status, { status: "error", message, correlationId: randomUUID(), ...details });

export const invalid = (message: string, context?: Record<string, string[]>): SandboxResponse =>
  apiError(400, message, { category: "VALIDATION_ERROR", ...(context === undefined ? {} : { context }) });

export const notFound = (): SandboxResponse => apiError(404, "resource not found", { category: "OBJECT_NOT_FOUND" });

/** The token endpoint reports errors both as in RFC 6749 and in its own terms. */
export const oauthError = (error: string, status: string, message: string): SandboxResponse =>
  json(400, { error, error_description: message, status, message, correlationId: randomUUID() });

/** For a policy: TEN_SECONDLY_ROLLING, SECONDLY (searches), DAILY. There is no Retry-After. */
export const rateLimited = (policyName: string, headers: Record<string, string> = {}): SandboxResponse =>
  json(
    429,
    {
      status: "error",
      message: `You have reached your ${policyName.toLowerCase()} limit.`,
      errorType: "RATE_LIMIT",
      correlationId: randomUUID(),
      policyName,
      requestId: randomUUID(),
    },
    headers,
  );
