import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { createCrmHttp, type CrmHttp, parseLoosely, timeOf } from "@leadline/adapter-kit/crm-http";
import { createLatestLimits, type LatestLimits, readCount } from "@leadline/adapter-kit/latest-limits";
import type { Outbound, OutboundRequest, OutboundResponse } from "@leadline/adapter-kit/outbound/open-outbound";
import { z } from "zod";
import { apiHost } from "./workspace.ts";

const ApiError = z.object({
  error: z.string(),
  error_description: z.string().nullish(),
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

export interface Api extends Pick<CrmHttp, "send" | "readJson" | "unreadable"> {
  /** As reported in responses. */
  limits: LatestLimits;
  /** The parsed JSON of a response below 300; otherwise throws a CrmError. Sends a POST if there is a body. */
  ask<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<{ body: T; at: Date }>;
  /** These ignore the response body, unless it is an error's. */
  put(request: ApiRequest): Promise<void>;
  post(request: ApiRequest): Promise<void>;
  delete(request: ApiRequest): Promise<void>;
}

export function createApi(outbound: Outbound, sandboxDomain: string | null): Api {
  const limits = createLatestLimits();
  const http = createCrmHttp(outbound, { name: "Podio", limitStatuses: [420, 429], readLimit, readError });

  /** Filters have a limit of their own. */
  function noteLimit({ grant, path }: ApiRequest, { headers }: OutboundResponse): void {
    const most = readCount(headers["x-rate-limit-limit"]);
    const left = readCount(headers["x-rate-limit-remaining"]);
    const kind = path.endsWith("/filter/") ? "filters" : "requests";
    if (most && left !== null) limits.note(grant.accessToken, { left, most, windowMs: 3_600_000 }, kind);
  }

  async function call(request: ApiRequest, method?: OutboundRequest["method"]): Promise<OutboundResponse> {
    const { grant, path, body } = request;
    const url = new URL(`https://${apiHost(grant, sandboxDomain)}${path}`);
    const headers = { authorization: `OAuth2 ${grant.accessToken}` };
    const answer = await http.send({ url, headers, json: body, ...(method && { method }) });
    noteLimit(request, answer);
    return http.accept(answer);
  }

  /** Podio's error isn't a success, whatever status came with it. */
  async function act(request: ApiRequest, method: OutboundRequest["method"]): Promise<void> {
    const { text } = await call(request, method);
    const error = readErrorBody(text);
    if (error !== null) throw new Invalid(error.description || error.error);
  }

  return {
    ...http,
    limits,
    async ask(schema, request) {
      const answer = await call(request);
      return { body: http.readJson(schema, answer.text), at: timeOf(answer) };
    },
    put: (request) => act(request, "PUT"),
    post: (request) => act(request, "POST"),
    delete: (request) => act(request, "DELETE"),
  };
}

/** Null if it isn't Podio's own error body. */
export function readErrorBody(text: string): { error: string; description: string } | null {
  const body = parseLoosely(ApiError, text);
  return body && { error: body.error, description: body.error_description ?? "" };
}

function readError({ status, text }: OutboundResponse): CrmError | null {
  if (status === 401) return new CrmError("access-refused", "Podio no longer accepts Leadline’s access.");
  const body = readErrorBody(text);
  if (body === null) return null;
  if (status === 409)
    return new ItemChanged("unreachable", "The item is being changed in Podio. Leadline will try again.");
  if (status === 403)
    return new Forbidden("refused", "The connected Podio account can’t read this app. Choose another.");
  if (status === 404 || status === 410)
    return new ItemGone("refused", "The app no longer exists in Podio. Choose another in the integration.");
  const detail = body.description || body.error || String(status);
  return status === 400 ? new Invalid(detail) : new CrmError("refused", refusalOf(detail));
}

/** The error message contains the number of seconds to wait. */
function readLimit({ text }: OutboundResponse): { words: string; pauseMs: number } {
  const seconds = /wait (\d{1,5}) seconds/.exec(readErrorBody(text)?.description ?? "")?.[1];
  return {
    words: "Podio allows no more requests this hour.",
    pauseMs: seconds === undefined ? limitPauseMs : Number(seconds) * 1000,
  };
}
