import { json, type SandboxResponse } from "../exchange.ts";

/** The fields of every error. */
export const apiError = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): SandboxResponse =>
  json(
    status,
    {
      error_parameters: {},
      error_detail: null,
      error_propagate: false,
      request: { url: "https://api.podio.com/", query_string: "", method: "" },
      error_description: description,
      error,
    },
    headers,
  );

export const notFound = (): SandboxResponse => apiError(404, "not_found", "Object not found");
export const invalid = (description: string): SandboxResponse => apiError(400, "invalid_value", description);
export const rateLimited = (seconds: number, headers: Record<string, string> = {}): SandboxResponse =>
  apiError(
    420,
    "rate_limit",
    `You have hit the rate limit. Please wait ${seconds} seconds before trying again`,
    headers,
  );
