import { createHash, randomBytes } from "node:crypto";
import { consentPage, refusalPage } from "./consent-page.ts";
import { json, oauthError, page, redirect, type SandboxAnswer, type SandboxRequest } from "./exchange.ts";
import type { Store, StoredGrant } from "./store.ts";

export interface OAuthOptions {
  store: Store;
  clientId: string;
  domain: string;
  /** Where codes may be sent. */
  allowsCallback(callback: URL, request: SandboxRequest): boolean;
}
interface Asked {
  callback: URL;
  /** The same, as it was written: it must be written so again. */
  redirectUri: string;
  state: string | null;
  challenge: string;
  expiresMs: number;
}

const tenMinutesMs = 600_000;
/** Of pages and codes that wait for an answer: anybody may ask for one, so beyond these the oldest go. */
const mostWaiting = 1_000;
const hash = (token: string): string => createHash("sha256").update(token).digest("base64url");
const newToken = (prefix: string): string => prefix + randomBytes(36).toString("base64url");
const remember = (list: string[], item: string, most: number): string[] => [...list, item].slice(-most);

/** OAuth 2.0's code flow with mandatory PKCE, rotating refresh tokens, and the end of a grant whose old refresh token is used again. */
export function createOAuth({ store, clientId, domain, allowsCallback }: OAuthOptions) {
  const asked = new Map<string, Asked>();
  const codes = new Map<string, Asked & { grant: StoredGrant | null }>();
  const { state } = store;

  function authorise(request: SandboxRequest): SandboxAnswer {
    const query = new URL(request.url, "http://sandbox").searchParams;
    const callback = readUrl(query.get("redirect_uri"));
    // Before the callback is known to be good, nothing is sent there.
    if (query.get("client_id") !== clientId)
      return page(400, refusalPage("The sandbox does not know the app that asks (client_id)."));
    if (callback === null || !allowsCallback(callback, request))
      return page(400, refusalPage("The address to go back to is not this Leadline’s (redirect_uri)."));
    const back = (error: string, error_description: string) =>
      redirect(withQuery(callback, { error, error_description, state: query.get("state") }));
    if (query.get("response_type") !== "code") return back("unsupported_response_type", "response type must be code");
    const challenge = query.get("code_challenge") ?? "";
    if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
      return back("invalid_request", "missing required code challenge");
    const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
    const ticket = newToken("");
    makeRoom(asked);
    const redirectUri = query.get("redirect_uri") ?? "";
    asked.set(ticket, {
      callback,
      redirectUri,
      state: query.get("state"),
      challenge,
      expiresMs: Date.now() + tenMinutesMs,
    });
    return page(200, consentPage({ ticket, scopes, domain }));
  }

  function decide(request: SandboxRequest): SandboxAnswer {
    const form = new URLSearchParams(request.body);
    const ticket = form.get("ticket") ?? "";
    const login = asked.get(ticket);
    asked.delete(ticket);
    if (login === undefined || login.expiresMs < Date.now())
      return page(
        400,
        refusalPage("This page was answered already, or has waited for too long. Start again in Leadline."),
      );
    if (form.get("decision") !== "allow") {
      const error = { error: "access_denied", error_description: "end-user denied authorization" };
      return redirect(withQuery(login.callback, { ...error, state: login.state }));
    }
    const code = newToken("aPrx");
    makeRoom(codes);
    codes.set(hash(code), { ...login, expiresMs: Date.now() + tenMinutesMs, grant: null });
    return redirect(withQuery(login.callback, { code, state: login.state }));
  }

  function token(request: SandboxRequest): SandboxAnswer {
    const form = new URLSearchParams(request.body);
    if (form.get("client_id") !== clientId) return oauthError("invalid_client_id", "client identifier invalid");
    const grantType = form.get("grant_type");
    if (grantType === "authorization_code") return exchangeCode(form);
    if (grantType === "refresh_token") return refresh(form);
    return oauthError("unsupported_grant_type", "grant type not supported");
  }

  function exchangeCode(form: URLSearchParams): SandboxAnswer {
    const login = codes.get(hash(form.get("code") ?? ""));
    if (login === undefined || login.expiresMs < Date.now())
      return oauthError("invalid_grant", "expired authorization code");
    if (login.grant !== null) {
      // Used twice: whoever came first may have stolen it (RFC 6749, section 4.1.2).
      endGrant(login.grant);
      return oauthError("invalid_grant", "authentication failure");
    }
    if (form.get("redirect_uri") !== login.redirectUri)
      return oauthError("redirect_uri_mismatch", "redirect_uri must match configuration");
    if (hash(form.get("code_verifier") ?? "") !== login.challenge)
      return oauthError("invalid_grant", "invalid code verifier");
    const grant: StoredGrant = { refreshHash: "", spentRefreshHashes: [], accessHashes: [] };
    login.grant = grant;
    state.grants = [...state.grants, grant].slice(-100);
    return tokens(grant);
  }

  function refresh(form: URLSearchParams): SandboxAnswer {
    const presented = hash(form.get("refresh_token") ?? "");
    const reused = state.grants.find((grant) => grant.spentRefreshHashes.includes(presented));
    if (reused !== undefined) endGrant(reused);
    const grant = state.grants.find((candidate) => candidate.refreshHash === presented);
    return grant === undefined ? oauthError("invalid_grant", "expired access/refresh token") : tokens(grant);
  }

  function tokens(grant: StoredGrant): SandboxAnswer {
    const accessToken = newToken("00D5g000001Sand!");
    const refreshToken = newToken("5Aep861");
    if (grant.refreshHash !== "") grant.spentRefreshHashes = remember(grant.spentRefreshHashes, grant.refreshHash, 50);
    grant.refreshHash = hash(refreshToken);
    grant.accessHashes = remember(grant.accessHashes, hash(accessToken), 5);
    store.save();
    return json(200, {
      access_token: accessToken,
      refresh_token: refreshToken,
      scope: "refresh_token api",
      instance_url: `https://${domain}`,
      id: `https://${domain}/id/00D5g000001SandEAK/0055g00000SandyAAA`,
      token_type: "Bearer",
      issued_at: String(Date.now()),
    });
  }

  function revoke(request: SandboxRequest): SandboxAnswer {
    const form = new URLSearchParams(request.body || new URL(request.url, "http://sandbox").search);
    const presented = hash(form.get("token") ?? "");
    const grant = state.grants.find((one) => one.refreshHash === presented || one.accessHashes.includes(presented));
    if (grant === undefined) return oauthError("unsupported_token_type", "this token is not, or no longer, known");
    if (grant.refreshHash === presented) endGrant(grant);
    else grant.accessHashes = grant.accessHashes.filter((known) => known !== presented);
    store.save();
    return { status: 200, headers: {}, body: "" };
  }

  function endGrant(grant: StoredGrant): void {
    state.grants = state.grants.filter((other) => other !== grant);
    store.save();
  }

  return {
    authorise,
    decide,
    token,
    revoke,
    accepts: (accessToken: string): boolean =>
      state.grants.some((grant) => grant.accessHashes.includes(hash(accessToken))),
    /** Every access token has run out; refreshing helps. */
    expireAccess(): void {
      for (const grant of state.grants) grant.accessHashes = [];
    },
    /** Somebody took every access away on the CRM's own pages. */
    endAllGrants(): void {
      state.grants = [];
      store.save();
    },
  };
}

/** A map goes through its entries in the order of their coming. */
function makeRoom(map: Map<string, { expiresMs: number }>): void {
  for (const [key, { expiresMs }] of map) if (expiresMs < Date.now() || map.size >= mostWaiting) map.delete(key);
}

const readUrl = (text: string | null): URL | null => (text !== null && URL.canParse(text) ? new URL(text) : null);

function withQuery(url: URL, query: Record<string, string | null>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value !== null) target.searchParams.set(name, value);
  return target.href;
}
