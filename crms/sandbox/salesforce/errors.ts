import { json, type SandboxResponse } from "../exchange.ts";

/** The REST API's errors are lists. */
export const apiError = (status: number, errorCode: string, message: string): SandboxResponse =>
  json(status, [{ message, errorCode }]);

/** The token endpoint's errors are objects (RFC 6749, section 5.2). */
export const oauthError = (error: string, error_description: string): SandboxResponse =>
  json(400, { error, error_description });
