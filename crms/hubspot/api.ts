import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { createCrmHttp, type CrmHttp, parseLoosely, timeOf } from "@leadline/adapter-kit/crm-http";
import { createLatestLimits, type LatestLimits, readCount } from "@leadline/adapter-kit/latest-limits";
import type { Outbound, OutboundResponse } from "@leadline/adapter-kit/outbound/open-outbound";
import { z } from "zod";
import { apiHost } from "./workspace.ts";

const ApiError = z.object({
  message: z.string(),
  /** Every error has one, unlike the errors of a proxy. */
  correlationId: z.string(),
  category: z.string().default(""),
});
/** Which of the limits. */
const LimitError = z.object({ policyName: z.string() });

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

export interface Api extends Pick<CrmHttp, "send" | "readJson" | "unreadable"> {
  /** As reported in responses. */
  limits: LatestLimits;
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
  const http = createCrmHttp(outbound, {
    name: "HubSpot",
    limitStatuses: [429],
    readLimit,
    // 423: the same records are being changed by somebody else. 477: the account is moving to another data centre.
    busyStatuses: [423, 477],
    readError,
  });

  /** Of an app with OAuth HubSpot only reports the limit of ten seconds, and not with searches. */
  function noteLimit({ accessToken }: CrmGrant, { headers }: OutboundResponse): void {
    const [most, left, windowMs] = ["max", "remaining", "interval-milliseconds"].map((name) =>
      readCount(headers[`x-hubspot-ratelimit-${name}`]),
    );
    if (most && windowMs && left != null) limits.note(accessToken, { left, most, windowMs });
  }

  return {
    ...http,
    limits,
    async ask(schema, { grant, path, query = new URLSearchParams(), method, body }) {
      const url = new URL(`https://${apiHost(grant, sandboxDomain)}${path}`);
      url.search = query.toString();
      const headers = { authorization: `Bearer ${grant.accessToken}` };
      const answer = await http.send({ url, headers, json: body, ...(method && { method }) });
      noteLimit(grant, answer);
      return { body: http.readJson(schema, http.accept(answer).text), at: timeOf(answer) };
    },
  };
}

function readLimit({ text }: OutboundResponse): { words: string; pauseMs: number | null } {
  const policy = parseLoosely(LimitError, text)?.policyName ?? "";
  const words =
    policy === "DAILY"
      ? "Your HubSpot account has used up its API calls for today. The limit resets at midnight in your account’s time zone."
      : "HubSpot asks to slow down.";
  return { words, pauseMs: pausesMs[policy] ?? null };
}

function readError({ status, text }: OutboundResponse): CrmError | null {
  if (status === 401) return new CrmError("access-refused", "HubSpot no longer accepts Leadline’s access.");
  const error = parseLoosely(ApiError, text);
  if (error === null) return null;
  const { category, message } = error;
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
