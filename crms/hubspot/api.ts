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
  message: z.string().default(""),
  category: z.string().default(""),
  /** For a 429: which of the limits. */
  policyName: z.string().default(""),
});

/** How long until a limit allows requests again, if there is no Retry-After. */
const pausesMs: Record<string, number> = { SECONDLY: 1_000, TEN_SECONDLY_ROLLING: 10_000, DAILY: 3_600_000 };

/** Status 404: the record was archived, or never was. */
export class NotFound extends CrmError {}
/** Status 409: another contact has the same email. */
export class Conflict extends CrmError {}
/** Status 400. */
export class Invalid extends CrmError {
  /** What the API said. */
  readonly detail: string;
  constructor(detail: string) {
    super("refused", refusalOf(detail));
    this.detail = detail;
  }
}
const refusalOf = (detail: string): string => `HubSpot refused to answer: ${detail}`.slice(0, 300);

export interface Api {
  /** As reported in responses. */
  limits: LatestLimits;
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Returns the JSON of a response below 300, and throws a CrmError otherwise. With a body it is a POST unless `method`
   * says otherwise.
   */
  ask<T>(
    schema: z.ZodType<T>,
    request: { grant: CrmGrant; path: string; query?: URLSearchParams; method?: "POST" | "PATCH"; body?: object },
  ): Promise<{ body: T; at: Date }>;
}

export function createApi(outbound: Outbound, sandboxDomain: string | null): Api {
  const limits = createLatestLimits();

  async function send(request: OutboundRequest): Promise<OutboundResponse> {
    const answer = await outbound.send(request).catch((error: unknown) => {
      throw toUnreachable(error);
    });
    const { status } = answer;
    const retryAfterMs = readRetryAfter(answer.headers["retry-after"]);
    if (status === 429) throw readLimit(answer.text, retryAfterMs);
    // 423: the same records are being changed by somebody else. 477: the account is moving to another data centre.
    if (status >= 500 || status === 423 || status === 477)
      throw new CrmError("unreachable", "HubSpot is having problems right now.", { retryAfterMs });
    if (status >= 300 && status < 400) throw new CrmError("refused", "HubSpot sent Leadline to another address.");
    return answer;
  }

  /** Of an app with OAuth HubSpot only reports the limit of ten seconds, and not with searches. */
  function noteLimit({ accessToken }: CrmGrant, { headers }: OutboundResponse): void {
    const [most, left, windowMs] = ["max", "remaining", "interval-milliseconds"].map((name) =>
      readCount(headers[`x-hubspot-ratelimit-${name}`]),
    );
    if (most && windowMs && left != null) limits.note(accessToken, { left, most, windowMs });
  }

  return {
    limits,
    send,
    async ask(schema, { grant, path, query = new URLSearchParams(), method = "POST", body }) {
      const url = new URL(`https://${apiHost(grant, sandboxDomain)}${path}`);
      url.search = query.toString();
      const headers = { accept: "application/json", authorization: `Bearer ${grant.accessToken}` };
      const answer = await send(
        body === undefined
          ? { method: "GET", url, headers }
          : {
              method,
              url,
              headers: { ...headers, "content-type": "application/json" },
              body: JSON.stringify(body),
            },
      );
      noteLimit(grant, answer);
      if (answer.status >= 400) throw readApiError(answer);
      return { body: readJson(schema, answer.text), at: new Date(answer.headers.date ?? Date.now()) };
    },
  };
}

export function readJson<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new CrmError("refused", "HubSpot sent a response that Leadline doesn’t understand.", { cause: error });
  }
}

/** Null if it isn't JSON, such as from a proxy that responds instead of HubSpot. */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readLimit(text: string, askedMs: number | null): CrmError {
  const policy = ApiError.safeParse(parseLoosely(text)).data?.policyName ?? "";
  const retryAfterMs = askedMs ?? pausesMs[policy] ?? null;
  const words =
    policy === "DAILY"
      ? "Your HubSpot account has used up its API calls for today. The limit resets at midnight in your account’s time zone."
      : "HubSpot asks to slow down.";
  return new CrmError("limited", words, { retryAfterMs });
}

function readApiError({ status, text }: OutboundResponse): CrmError {
  if (status === 401) return new CrmError("access-refused", "HubSpot no longer accepts Leadline’s access.");
  const { category, message } = ApiError.safeParse(parseLoosely(text)).data ?? { category: "", message: "" };
  if (category === "MISSING_SCOPES")
    return new CrmError(
      "grant-refused",
      "HubSpot did not give Leadline all the access that it needs. Connect it again.",
    );
  const detail = message || category || String(status);
  if (status === 400) return new Invalid(detail);
  const Refusal = status === 404 ? NotFound : status === 409 ? Conflict : CrmError;
  return new Refusal("refused", refusalOf(detail));
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
  const words = isLate ? "HubSpot did not answer in time." : "HubSpot cannot be reached right now.";
  return new CrmError("unreachable", words, { cause: error });
}
