import { z } from "zod";
import { CrmError } from "./crm.ts";
import { type Outbound, OutboundError, type OutboundRequest, type OutboundResponse } from "./outbound/open-outbound.ts";

/** How one CRM's API says what went wrong. */
export interface CrmHttpOptions {
  /** The CRM's display name. */
  name: string;
  /** With one of these statuses, the CRM asks to slow down. */
  limitStatuses: readonly number[];
  /** In a sentence, and for how long if there is no Retry-After. */
  readLimit(response: OutboundResponse): { words: string; pauseMs: number | null };
  /** Statuses below 500 with which the CRM asks to try again later. */
  busyStatuses?: readonly number[];
  /** What the CRM says about the request, from status 400 on. Null if the body isn't the CRM's own error. */
  readError(response: OutboundResponse): CrmError | null;
  /** What people entered the CRM's address in, if they did. */
  addressField?: string;
}

export interface CrmHttpRequest extends Omit<OutboundRequest, "method"> {
  /** By default POST with a body, and GET without one. */
  method?: OutboundRequest["method"];
  /** The body, as JSON. */
  json?: object | undefined;
}

export interface CrmHttp {
  /** Returns a response below 300 or from 400 to 499, and throws a CrmError otherwise. */
  send(request: CrmHttpRequest): Promise<OutboundResponse>;
  /** The response, if its status is below 400. Throws what the CRM says about the request otherwise. */
  accept(response: OutboundResponse): OutboundResponse;
  /** Throws `unreachable` if the text isn't JSON of this kind. */
  readJson<T>(schema: z.ZodType<T>, text: string): T;
  /** For a response that isn't the CRM's: a proxy or a page about maintenance may have answered in its place. */
  unreadable(cause?: unknown): CrmError;
}

/**
 * HTTP with a CRM. `refused` is only what the CRM itself says about a request. Anything else, such as a redirect or a
 * proxy's page, passes, and is `unreachable`.
 */
export function createCrmHttp(outbound: Outbound, options: CrmHttpOptions): CrmHttp {
  const { name, addressField, limitStatuses, busyStatuses = [] } = options;
  const check = addressField === undefined ? "" : ` Check the ${addressField}.`;
  const unreadable = (cause?: unknown): CrmError =>
    new CrmError("unreachable", `${name} sent a response that Leadline doesn’t understand.`, { cause });

  function toUnreachable(cause: unknown): CrmError {
    const fault = cause instanceof OutboundError ? cause.fault : null;
    const words =
      fault === "time-out"
        ? `${name} did not answer in time.`
        : fault === "too-large"
          ? `${name} sent more at once than Leadline can read.`
          : `${name} cannot be reached right now.`;
    return new CrmError("unreachable", fault === "address-refused" ? words + check : words, { cause });
  }

  return {
    unreadable,
    async send({ method, json, headers, body = json && JSON.stringify(json), ...request }) {
      const response = await outbound
        .send({
          ...request,
          method: method ?? (body === undefined ? "GET" : "POST"),
          headers: {
            accept: "application/json",
            ...(json !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body }),
        })
        .catch((error: unknown) => {
          throw toUnreachable(error);
        });
      const { status } = response;
      const retryAfterMs = readRetryAfter(response.headers["retry-after"]);
      if (limitStatuses.includes(status)) {
        const { words, pauseMs } = options.readLimit(response);
        throw new CrmError("limited", words, { retryAfterMs: retryAfterMs ?? pauseMs });
      }
      if (status >= 500 || busyStatuses.includes(status))
        throw new CrmError("unreachable", `${name} is having problems right now.`, { retryAfterMs });
      if (status >= 300 && status < 400)
        throw new CrmError("unreachable", `${name} sent Leadline to another address.${check}`, { retryAfterMs });
      return response;
    },
    accept(response) {
      if (isPage(response)) throw unreadable();
      if (response.status >= 400) throw options.readError(response) ?? unreadable();
      return response;
    },
    readJson(schema, text) {
      try {
        return schema.parse(JSON.parse(text));
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

/** No CRM's API has pages, which would pass for a success where the body doesn't matter. */
const isPage = ({ headers }: OutboundResponse): boolean => /\bhtml\b/i.test(headers["content-type"] ?? "");

/** Null if it isn't JSON of this kind. */
export function parseLoosely<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** When the CRM answered, by its clock, or by ours if it doesn't say. */
export function timeOf({ headers }: OutboundResponse): Date {
  const atMs = Date.parse(headers.date ?? "");
  return new Date(Number.isNaN(atMs) ? Date.now() : atMs);
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}
