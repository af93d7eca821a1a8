import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { createLatestLimits, type LatestLimits, readCount } from "@leadline/adapter-kit/latest-limits";
import {
  type Outbound,
  type OutboundResponse,
  OutboundError,
  type OutboundRequest,
} from "@leadline/adapter-kit/outbound/open-outbound";
import { z } from "zod";
import { apiHost } from "./workspace.ts";

const ApiError = z.object({
  error: z.string().nullish().default(""),
  error_description: z.string().nullish().default(""),
});

/** Podio doesn't report when a limit's hour ends. A sync that waits nine times this long has seen the next hour. */
const limitPauseMs = 600_000;

/** Status 404 or 410. */
export class ItemGone extends CrmError {}
/** Status 409: the item was changed after the given revision. */
export class ItemChanged extends CrmError {}
/** Status 403: the connected account or the granted scope does not allow the request. */
export class Forbidden extends CrmError {}

/** Status 400. */
export class Invalid extends CrmError {
  /** What the API said. */
  readonly detail: string;
  constructor(detail: string) {
    super("refused", refusalOf(detail));
    this.detail = detail;
  }
}
const refusalOf = (detail: string): string => `Podio refused to answer: ${detail}`.slice(0, 300);

interface ApiRequest {
  grant: CrmGrant;
  path: string;
  body?: object;
}

export interface Api {
  /** As reported in responses. */
  limits: LatestLimits;
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** The parsed JSON of a response below 300; otherwise throws a CrmError. Sends a POST if there is a body. */
  ask<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<{ body: T; at: Date }>;
  /** These ignore the response body. */
  put(request: ApiRequest): Promise<void>;
  post(request: ApiRequest): Promise<void>;
  delete(request: ApiRequest): Promise<void>;
}

export function createApi(outbound: Outbound, sandboxDomain: string | null): Api {
  const limits = createLatestLimits();

  async function send(request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await outbound.send(request).catch((error: unknown) => {
      throw toUnreachable(error);
    });
    const { status, text } = answer;
    const retryAfterMs = readRetryAfter(answer.headers["retry-after"]);
    if (status === 420 || status === 429)
      throw new CrmError("limited", "Podio allows no more requests this hour.", {
        retryAfterMs: retryAfterMs ?? readWait(text) ?? limitPauseMs,
      });
    if (status >= 500) throw new CrmError("unreachable", "Podio is having problems right now.", { retryAfterMs });
    if (status >= 300 && status < 400) throw new CrmError("refused", "Podio sent Leadline to another address.");
    return answer;
  }

  /** Filters have a limit of their own. */
  function noteLimit({ grant, path }: ApiRequest, { headers }: OutboundResponse): void {
    const most = readCount(headers["x-rate-limit-limit"]);
    const left = readCount(headers["x-rate-limit-remaining"]);
    const kind = path.endsWith("/filter/") ? "filters" : "requests";
    if (most && left !== null) limits.note(grant.accessToken, { left, most, windowMs: 3_600_000 }, kind);
  }

  async function call(method: "GET" | "POST" | "PUT" | "DELETE", request: ApiRequest): Promise<OutboundResponse> {
    const { grant, path, body } = request;
    const url = new URL(`https://${apiHost(grant, sandboxDomain)}${path}`);
    const headers = { accept: "application/json", authorization: `OAuth2 ${grant.accessToken}` };
    const answer = await send(
      body === undefined
        ? { method, url, headers }
        : {
            method,
            url,
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(body),
          },
    );
    noteLimit(request, answer);
    if (answer.status >= 400) throw readApiError(answer);
    return answer;
  }

  return {
    limits,
    send,
    async ask(schema, request) {
      const answer = await call(request.body === undefined ? "GET" : "POST", request);
      return { body: readJson(schema, answer.text), at: new Date(answer.headers.date ?? Date.now()) };
    },
    async put(request) {
      await call("PUT", request);
    },
    async post(request) {
      await call("POST", request);
    },
    async delete(request) {
      await call("DELETE", request);
    },
  };
}

export function readJson<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new CrmError("refused", "Podio sent a response that Leadline doesn’t understand.", { cause: error });
  }
}

/** Empty if it isn't an error body, such as from a proxy that responds instead of Podio. */
export function readErrorBody(text: string): { error: string; description: string } {
  try {
    const { error, error_description: description } = ApiError.parse(JSON.parse(text));
    return { error: error ?? "", description: description ?? "" };
  } catch {
    return { error: "", description: "" };
  }
}

function readApiError({ status, text }: OutboundResponse): CrmError {
  if (status === 401) return new CrmError("access-refused", "Podio no longer accepts Leadline’s access.");
  if (status === 409)
    return new ItemChanged("unreachable", "The item is being changed in Podio. Leadline will try again.");
  const { error, description } = readErrorBody(text);
  if (status === 403)
    return new Forbidden("refused", "The connected Podio account can’t read this app. Choose another.");
  if (status === 404 || status === 410)
    return new ItemGone("refused", "The app no longer exists in Podio. Choose another in the integration.");
  const detail = description || error || String(status);
  return status === 400 ? new Invalid(detail) : new CrmError("refused", refusalOf(detail));
}

/** The error message contains the number of seconds to wait. */
function readWait(text: string): number | null {
  const seconds = /wait (\d{1,5}) seconds/.exec(readErrorBody(text).description)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - Date.now());
}

function toUnreachable(error: unknown): CrmError {
  const isLate = error instanceof OutboundError && error.fault === "time-out";
  const words = isLate ? "Podio did not answer in time." : "Podio cannot be reached right now.";
  return new CrmError("unreachable", words, { cause: error });
}
