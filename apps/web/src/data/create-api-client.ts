import type { ResponseOf, Endpoint, RequestInput } from "@leadline/contract/endpoint";
import { organisationHeader } from "@leadline/contract/organisation-header";
import { refreshTokens } from "@leadline/contract/sessions";
import { buildUrl } from "./build-url.ts";
import { noConnectionProblem, type ProblemError, timeOutProblem } from "./problem-error.ts";
import { readProblem, unreadableAnswer } from "./read-problem.ts";
import { createAccessRefresh, type RefreshOutcome } from "./refresh-access.ts";
import type { Session } from "./session.ts";

export interface ApiClientOptions {
  /** The part before the endpoint's path: `/api`. */
  baseUrl: string;
  session: Session;
  locks: Pick<LockManager, "request"> | undefined;
  /** A response that was requested before this code had loaded. */
  earlyAnswer?: (url: string, accessToken: string | null) => Promise<Response | null> | null;
  /** The organisation that the page is about. */
  organisationId?: () => string | null;
  /** The user's active organisation is now another one. */
  onOtherOrganisation?: () => void;
  timeoutMs?: number;
  /** For requests that send or return files. */
  transferTimeoutMs?: number;
  /** The user has no session, or it has ended. */
  onSignedOut: (outcome: Exclude<RefreshOutcome, "refreshed">) => void;
}
export interface RequestOptions {
  signal?: AbortSignal;
  /** The browser completes the request even if the page is closed. */
  keepalive?: boolean;
}
export interface Page<T> {
  items: T;
  /** The query of the next page (the Link header's rel=next); null on the last. */
  next: URLSearchParams | null;
}
interface Parts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  files?: readonly File[];
}

/** Guarantee: the server validates its responses against the endpoint's schema before it sends them. */
const asAnswer = <E extends Endpoint>(body: unknown): ResponseOf<E> => body as ResponseOf<E>;

export function createApiClient(client: ApiClientOptions) {
  const { baseUrl, session, locks, earlyAnswer, timeoutMs = 10_000, transferTimeoutMs = 120_000, onSignedOut } = client;
  const refreshAccess = createAccessRefresh({
    session,
    locks,
    async exchange(refreshToken) {
      const response = await send(refreshTokens, { body: { refreshToken } }, null, {});
      if (!response.ok) throw await readProblem(response);
      const answer = await readJson<typeof refreshTokens>(response);
      return { accessToken: answer.access_token, refreshToken: answer.refresh_token };
    },
  });

  async function send(
    endpoint: Pick<Endpoint, "method" | "path"> &
      Partial<Pick<Endpoint, "access" | "success" | "urlEncoded" | "mayTakeMs">>,
    parts: Parts,
    accessToken: string | null,
    { signal, keepalive = false }: RequestOptions,
  ) {
    const headers = new Headers({ accept: "application/json, application/problem+json" });
    for (const [name, value] of Object.entries(parts.headers ?? {}))
      if (value !== undefined) headers.set(name, String(value));
    if (accessToken) headers.set("authorization", `Bearer ${accessToken}`);
    const meant = isInOrganisation(endpoint) ? client.organisationId?.() : null;
    if (meant) headers.set(organisationHeader, meant);
    // For the other kinds, the browser sets the content type, with a form's boundary.
    if (parts.body !== undefined && !parts.files && !endpoint.urlEncoded)
      headers.set("content-type", "application/json");
    const transfers = parts.files !== undefined || endpoint.success?.[1] === "file";
    const mayTakeMs = endpoint.mayTakeMs ?? (transfers ? transferTimeoutMs : timeoutMs);
    const timeOut = AbortSignal.timeout(mayTakeMs);
    try {
      const url = buildUrl(baseUrl, endpoint.path, parts.params, parts.query);
      const early = endpoint.method === "GET" ? earlyAnswer?.(url, accessToken) : null;
      const answered = early ? await early : null;
      const response =
        answered ??
        (await fetch(url, {
          method: endpoint.method,
          headers,
          body: endpoint.urlEncoded ? new URLSearchParams(toFields(parts.body)) : encodeBody(parts),
          signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
          keepalive,
        }));
      // The body counts towards the time-out, so it is read here.
      const body = await response.arrayBuffer();
      return new Response(body.byteLength > 0 ? body : null, { status: response.status, headers: response.headers });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw timeOut.aborted ? timeOutProblem(mayTakeMs) : noConnectionProblem();
    }
  }

  async function exchange(endpoint: Endpoint, input: Parts, options: RequestOptions): Promise<Response> {
    const isPublic = endpoint.access === "public";
    const accessToken = isPublic ? null : session.accessToken();
    if (!isPublic && !accessToken) console.warn("No auth token.");
    const first = await send(endpoint, input, accessToken, options);
    if (first.ok) return first;
    const problem = await refusalOf(first);
    // A wrong password concerns what was typed, not the token.
    if (problem.status !== 401 || isPublic || problem.code === "wrong-credentials") throw problem;
    const outcome = await refreshAccess(accessToken);
    if (outcome !== "refreshed") {
      onSignedOut(outcome);
      throw problem;
    }
    const second = await send(endpoint, input, session.accessToken(), options);
    if (second.ok) return second;
    throw await refusalOf(second);
  }

  async function refusalOf(response: Response): Promise<ProblemError> {
    const problem = await readProblem(response);
    if (problem.code === "organisation-switched") client.onOtherOrganisation?.();
    return problem;
  }

  return {
    /** Throws a ProblemError; an abort by `signal` throws the signal's own reason. */
    async request<const E extends Endpoint>(endpoint: E, input: RequestInput<E>, options: RequestOptions = {}) {
      return readJson<E>(await exchange(endpoint, input as Parts, options));
    },
    /** Like `request`, with the query of the next page. */
    async requestPage<const E extends Endpoint>(
      endpoint: E,
      input: RequestInput<E>,
      options: RequestOptions = {},
    ): Promise<Page<ResponseOf<E>>> {
      const response = await exchange(endpoint, input as Parts, options);
      return { items: await readJson<E>(response), next: nextQuery(response.headers.get("link")) };
    },
    /** The content of a response that is a file. */
    async requestFile<const E extends Endpoint>(
      endpoint: E,
      input: RequestInput<E>,
      options: RequestOptions = {},
    ): Promise<Blob> {
      return (await exchange(endpoint, input as Parts, options)).blob();
    },
    refreshAccess,
  };
}

/**
 * Whether it concerns the active organisation: another one's data must not appear under unsaved changes on this page.
 */
const isInOrganisation = ({ access }: Partial<Pick<Endpoint, "access">>): boolean =>
  access === "analyst" || access === "member" || access === "admin" || access === "owner";

function encodeBody({ body, files }: Parts): BodyInit | null {
  if (files === undefined) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of toFields(body)) form.append(name, value);
  for (const file of files) form.append("file[]", file);
  return form;
}

const toFields = (body: unknown): [name: string, value: string][] =>
  Object.entries(body ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

async function readJson<E extends Endpoint>(response: Response): Promise<ResponseOf<E>> {
  if (response.status === 204) return asAnswer<E>(undefined);
  try {
    return asAnswer<E>(await response.json());
  } catch {
    throw unreadableAnswer(response.status);
  }
}

/** RFC 8288. */
function nextQuery(link: string | null): URLSearchParams | null {
  const target = link && /<([^>]*)>[^,]*;\s*rel="?next"?/i.exec(link)?.[1];
  if (!target) return null;
  const from = target.indexOf("?");
  return new URLSearchParams(from < 0 ? "" : target.slice(from));
}
