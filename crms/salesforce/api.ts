import { CrmError } from "@leadline/adapter-kit/crm";
import {
  createCrmHttp,
  type CrmHttp,
  type CrmHttpRequest,
  parseLoosely,
  readRetryAfter,
  timeOf,
} from "@leadline/adapter-kit/crm-http";
import { createLatestLimits, type LatestLimits } from "@leadline/adapter-kit/latest-limits";
import type { Outbound, OutboundResponse } from "@leadline/adapter-kit/outbound/open-outbound";
import { z } from "zod";

export const ApiErrors = z.array(z.object({ message: z.string().default(""), errorCode: z.string().min(1) })).min(1);

/** An API call's errors, by the first of its list. */
export class ApiRefusal extends CrmError {
  readonly errorCode: string;
  /** The first 300 characters of what the API said. */
  readonly detail: string;
  constructor(errorCode: string, detail: string) {
    super("refused", `Salesforce refused to answer: ${detail}`.slice(0, 300));
    this.errorCode = errorCode;
    this.detail = detail.slice(0, 300);
  }
}

/** Status 412: the record was changed after `unmodifiedSince`. */
export class Modified extends CrmError {}

/** Requests are counted over 24 hours (REST API Developer Guide, Limit Info Header). */
export const limitWindowMs = 86_400_000;
/** Of a record in the recycle bin, and of one that has left it (REST API, status 404). */
const goneCodes = new Set(["ENTITY_IS_DELETED", "NOT_FOUND"]);
export const isGone = (error: unknown): boolean => error instanceof ApiRefusal && goneCodes.has(error.errorCode);

export interface Api extends Pick<CrmHttp, "send" | "readJson" | "unreadable"> {
  /** As reported in responses. */
  limits: LatestLimits;
  /** Parsed JSON of an answer below 300; throws a CrmError otherwise. */
  getJson<T>(
    schema: z.ZodType<T>,
    request: { url: URL; accessToken: string; batchSize?: number },
  ): Promise<{ body: T; at: Date }>;
  /** The text of an answer below 300; throws a CrmError otherwise. */
  sendJson(request: { method: "POST" | "PATCH"; url: URL; accessToken: string; body: object }): Promise<string>;
  /**
   * Updates a record, which Salesforce answers without a body (REST API Developer Guide, sObject Rows). Anything else
   * throws a CrmError, whatever its status. `unmodifiedSince`: nothing is changed if the record was since then, to the
   * second (Conditional Request Headers).
   */
  updateRecord(request: { url: URL; accessToken: string; body: object; unmodifiedSince?: Date }): Promise<void>;
  /** An answer below 300; throws a CrmError otherwise. */
  ask(request: { method: "GET" | "DELETE"; url: URL; accessToken: string; accept: string }): Promise<OutboundResponse>;
}

export function createApi(outbound: Outbound): Api {
  const limits = createLatestLimits();
  const http = createCrmHttp(outbound, {
    name: "Salesforce",
    addressField: "workspace domain",
    limitStatuses: [429],
    readLimit: () => ({ words: "Salesforce asks to slow down.", pauseMs: null }),
    readError,
  });

  async function call(accessToken: string, { headers = {}, ...request }: CrmHttpRequest): Promise<OutboundResponse> {
    const answer = await http.send({ ...request, headers: { ...headers, authorization: `Bearer ${accessToken}` } });
    const [, used, most] = /\bapi-usage=(\d{1,12})\/(\d{1,12})/.exec(String(answer.headers["sforce-limit-info"])) ?? [];
    if (used !== undefined && most !== undefined) {
      const left = Math.max(0, Number(most) - Number(used));
      limits.note(accessToken, { left, most: Number(most), windowMs: limitWindowMs });
    }
    return http.accept(answer);
  }

  return {
    ...http,
    limits,
    async getJson(schema, { url, accessToken, batchSize }) {
      const headers = batchSize === undefined ? {} : { "sforce-query-options": `batchSize=${batchSize}` };
      const answer = await call(accessToken, { url, headers });
      return { body: http.readJson(schema, answer.text), at: timeOf(answer) };
    },
    async sendJson({ accessToken, body, ...request }) {
      return (await call(accessToken, { ...request, json: body })).text;
    },
    async updateRecord({ url, accessToken, body, unmodifiedSince }) {
      const headers = unmodifiedSince && { "if-unmodified-since": unmodifiedSince.toUTCString() };
      const answer = await call(accessToken, { method: "PATCH", url, json: body, ...(headers && { headers }) });
      if (answer.text.trim() !== "") throw readError(answer) ?? http.unreadable();
    },
    ask: ({ accessToken, accept, ...request }) => call(accessToken, { ...request, headers: { accept } }),
  };
}

function readError({ status, headers, text }: OutboundResponse): CrmError | null {
  if (status === 401) return new CrmError("access-refused", "Salesforce no longer accepts Leadline’s access.");
  if (status === 412)
    return new Modified("unreachable", "The record is being changed in Salesforce. Leadline will try again.");
  const [error] = parseLoosely(ApiErrors, text) ?? [];
  if (error === undefined) return null;
  const { errorCode, message } = error;
  if (errorCode === "REQUEST_LIMIT_EXCEEDED")
    return new CrmError("limited", "Your Salesforce organisation has used up its API calls for now.", {
      retryAfterMs: readRetryAfter(headers["retry-after"]),
    });
  if (errorCode === "INVALID_SESSION_ID")
    return new CrmError("access-refused", "Salesforce no longer accepts Leadline’s access.");
  return toRefusal(errorCode, message || errorCode);
}

/** Another request, or an automation, holds the record for a moment (SOAP API Developer Guide, UNABLE_TO_LOCK_ROW). */
export const toRefusal = (errorCode: string, detail: string): CrmError =>
  errorCode === "UNABLE_TO_LOCK_ROW"
    ? new CrmError("unreachable", "Salesforce is still changing this record. Leadline will try again.")
    : new ApiRefusal(errorCode, detail);
