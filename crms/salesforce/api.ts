import { CrmError } from "@leadline/adapter-kit/crm";
import { createLatestLimits, type LatestLimits } from "@leadline/adapter-kit/latest-limits";
import {
  type Outbound,
  type OutboundResponse,
  OutboundError,
  type OutboundRequest,
} from "@leadline/adapter-kit/outbound/open-outbound";
import { z } from "zod";
import { parseLoosely } from "./parse-loosely.ts";

export const ApiErrors = z
  .array(z.object({ message: z.string().default(""), errorCode: z.string().default("") }))
  .min(1);

/** An API call's errors, by the first of its list. */
export class ApiRefusal extends CrmError {
  readonly errorCode: string;
  /** What the API said. */
  readonly detail: string;
  constructor(errorCode: string, detail: string) {
    super("refused", `Salesforce refused to answer: ${detail}`.slice(0, 300));
    this.errorCode = errorCode;
    this.detail = detail;
  }
}

/** Status 412: the record was changed after `unmodifiedSince`. */
export class Modified extends CrmError {}

/** Requests are counted over 24 hours (REST API Developer Guide, Limit Info Header). */
export const limitWindowMs = 86_400_000;
/** Of a record in the recycle bin, and of one that has left it (REST API, status 404). */
const goneCodes = new Set(["ENTITY_IS_DELETED", "NOT_FOUND"]);
export const isGone = (error: unknown): boolean => error instanceof ApiRefusal && goneCodes.has(error.errorCode);

export interface Api {
  /** As reported in responses. */
  limits: LatestLimits;
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Parsed JSON of an answer below 300; throws a CrmError otherwise. */
  getJson<T>(
    schema: z.ZodType<T>,
    request: { url: URL; accessToken: string; batchSize?: number },
  ): Promise<{ body: T; at: Date }>;
  /**
   * The text of an answer below 300; throws a CrmError otherwise. `unmodifiedSince`: nothing is changed if the record was
   * since then, to the second (REST API Developer Guide, Conditional Request Headers).
   */
  sendJson(request: {
    method: "POST" | "PATCH";
    url: URL;
    accessToken: string;
    body: object;
    unmodifiedSince?: Date;
  }): Promise<string>;
  /** An answer below 300; throws a CrmError otherwise. */
  ask(request: { method: "GET" | "DELETE"; url: URL; accessToken: string; accept: string }): Promise<OutboundResponse>;
}

export function createApi(outbound: Outbound): Api {
  const limits = createLatestLimits();

  async function send(request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await outbound.send(request).catch((error: unknown) => {
      throw toUnreachable(error);
    });
    const pause = { retryAfterMs: readRetryAfter(answer.headers["retry-after"]) };
    if (answer.status === 429) throw new CrmError("limited", "Salesforce asks to slow down.", pause);
    if (answer.status >= 500) throw new CrmError("unreachable", "Salesforce is having problems right now.", pause);
    if (answer.status >= 300 && answer.status < 400)
      throw new CrmError("refused", "Salesforce sent Leadline to another address. Check the workspace domain.");
    return answer;
  }

  /** Throws a CrmError unless the status is below 400. */
  async function call(accessToken: string, { headers = {}, ...request }: OutboundRequest): Promise<OutboundResponse> {
    const answer = await send({ ...request, headers: { ...headers, authorization: `Bearer ${accessToken}` } });
    const [, used, most] = /\bapi-usage=(\d{1,12})\/(\d{1,12})/.exec(String(answer.headers["sforce-limit-info"])) ?? [];
    if (used !== undefined && most !== undefined) {
      const left = Math.max(0, Number(most) - Number(used));
      limits.note(accessToken, { left, most: Number(most), windowMs: limitWindowMs });
    }
    if (answer.status >= 400) throw readApiError(answer);
    return answer;
  }

  return {
    limits,
    send,
    async getJson(schema, { url, accessToken, batchSize }) {
      const options = batchSize === undefined ? {} : { "sforce-query-options": `batchSize=${batchSize}` };
      const answer = await call(accessToken, {
        method: "GET",
        url,
        headers: { accept: "application/json", ...options },
      });
      return { body: readJson(schema, answer.text), at: new Date(answer.headers.date ?? Date.now()) };
    },
    async sendJson({ method, url, accessToken, body, unmodifiedSince }) {
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        ...(unmodifiedSince && { "if-unmodified-since": unmodifiedSince.toUTCString() }),
      };
      return (await call(accessToken, { method, url, headers, body: JSON.stringify(body) })).text;
    },
    ask: ({ method, url, accessToken, accept }) => call(accessToken, { method, url, headers: { accept } }),
  };
}

export function readJson<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new CrmError("refused", "Salesforce sent a response that Leadline doesn’t understand.", { cause: error });
  }
}

function readApiError(answer: OutboundResponse): CrmError {
  if (answer.status === 401) return new CrmError("access-refused", "Salesforce no longer accepts Leadline’s access.");
  if (answer.status === 412)
    return new Modified("unreachable", "The record is being changed in Salesforce. Leadline will try again.");
  const retryAfterMs = readRetryAfter(answer.headers["retry-after"]);
  const parsed = ApiErrors.safeParse(parseLoosely(answer.text));
  const { errorCode, message } = parsed.data?.[0] ?? { errorCode: "", message: "" };
  if (errorCode === "REQUEST_LIMIT_EXCEEDED")
    return new CrmError("limited", "Your Salesforce organisation has used up its API calls for now.", { retryAfterMs });
  if (errorCode === "INVALID_SESSION_ID")
    return new CrmError("access-refused", "Salesforce no longer accepts Leadline’s access.");
  return toRefusal(errorCode, message || errorCode || String(answer.status));
}

/** Another request, or an automation, holds the record for a moment (SOAP API Developer Guide, UNABLE_TO_LOCK_ROW). */
export const toRefusal = (errorCode: string, detail: string): CrmError =>
  errorCode === "UNABLE_TO_LOCK_ROW"
    ? new CrmError("unreachable", "Salesforce is still changing this record. Leadline will try again.")
    : new ApiRefusal(errorCode, detail);

/** Seconds or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}

function toUnreachable(error: unknown): CrmError {
  const fault = error instanceof OutboundError ? error.fault : null;
  if (fault === "address-refused")
    return new CrmError("refused", "The workspace domain does not lead to Salesforce. Check it.", { cause: error });
  const sentence =
    fault === "time-out" ? "Salesforce did not answer in time." : "Salesforce cannot be reached right now.";
  return new CrmError("unreachable", sentence, { cause: error });
}
