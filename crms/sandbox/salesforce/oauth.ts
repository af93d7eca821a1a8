import { consentPage, refusalPage } from "../consent-page.ts";
import { page, redirect, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { createWaiting, hash, newToken } from "../waiting.ts";
import { oauthError } from "./errors.ts";
import { createGrants } from "./grants.ts";
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
}

const tenMinutesMs = 600_000;
/** Of codes: anybody may ask for one, so beyond these the oldest go. A used one stays, to notice its second use. */
const maxWaiting = 1_000;
/** OAuth 2.0's code flow with mandatory PKCE. */
export function createOAuth({ store, clientId, domain, allowsCallback }: OAuthOptions) {
  const asked = createWaiting<Asked>({ prefix: "", keepsMs: tenMinutesMs });
  const codes = new Map<string, Asked & { expiresMs: number; grant: StoredGrant | null }>();
  const grants = createGrants({ store, domain });

  function authorise(request: SandboxRequest): SandboxResponse {
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
    const redirectUri = query.get("redirect_uri") ?? "";
    const ticket = asked.put({ callback, redirectUri, state: query.get("state"), challenge });
    return page(200, consentPage({ ticket, scopes, domain }));
  }

  function decide(request: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(request.body);
    const login = asked.take(form.get("ticket") ?? "");
    if (login === null)
      return page(
        400,
        refusalPage("This page was answered already, or has waited for too long. Start again in Leadline."),
      );
    if (form.get("decision") !== "allow") {
      const error = { error: "access_denied", error_description: "end-user denied authorization" };
      return redirect(withQuery(login.callback, { ...error, state: login.state }));
    }
    const code = newToken("aPrx");
    for (const [key, { expiresMs }] of codes) if (expiresMs < Date.now() || codes.size >= maxWaiting) codes.delete(key);
    codes.set(hash(code), { ...login, expiresMs: Date.now() + tenMinutesMs, grant: null });
    return redirect(withQuery(login.callback, { code, state: login.state }));
  }

  function token(request: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(request.body);
    if (form.get("client_id") !== clientId) return oauthError("invalid_client_id", "client identifier invalid");
    const grantType = form.get("grant_type");
    if (grantType === "authorization_code") return exchangeCode(form);
    if (grantType === "refresh_token") return grants.refresh(form);
    return oauthError("unsupported_grant_type", "grant type not supported");
  }

  function exchangeCode(form: URLSearchParams): SandboxResponse {
    const login = codes.get(hash(form.get("code") ?? ""));
    if (login === undefined || login.expiresMs < Date.now())
      return oauthError("invalid_grant", "expired authorization code");
    if (login.grant !== null) {
      // Used twice: whoever came first may have stolen it (RFC 6749, section 4.1.2).
      grants.end(login.grant);
      return oauthError("invalid_grant", "authentication failure");
    }
    if (form.get("redirect_uri") !== login.redirectUri)
      return oauthError("redirect_uri_mismatch", "redirect_uri must match configuration");
    if (hash(form.get("code_verifier") ?? "") !== login.challenge)
      return oauthError("invalid_grant", "invalid code verifier");
    login.grant = grants.begin();
    return grants.tokens(login.grant);
  }

  return {
    authorise,
    decide,
    token,
    revoke: grants.revoke,
    accepts: grants.accepts,
    expireAccess: grants.expireAccess,
    endAllGrants: grants.endAllGrants,
  };
}

const readUrl = (text: string | null): URL | null => (text !== null && URL.canParse(text) ? new URL(text) : null);

function withQuery(url: URL, query: Record<string, string | null>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) if (value !== null) target.searchParams.set(name, value);
  return target.href;
}
