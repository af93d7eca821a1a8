import { randomUUID } from "node:crypto";
import { createConsent } from "../create-consent.ts";
import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { hash, newToken } from "../waiting.ts";
import { invalid, oauthError } from "./errors.ts";
import type { Store, StoredGrant } from "./store.ts";

export interface OAuthOptions {
  store: Store;
  app: { clientId: string; clientSecret: string };
  domain: string;
  /** How long an access token is valid, in milliseconds. */
  accessMs: number;
  /** The allowed redirect addresses. */
  allowsCallback(callback: URL, request: SandboxRequest): boolean;
}

export const hubId = 48_120_077;

/** The code flow of an app with a secret. Refresh tokens stay the same. An access token says how long it is valid. */
export function createOAuth({ store, app, domain, accessMs, allowsCallback }: OAuthOptions) {
  const { state } = store;
  const { authorise, decide, takeCode } = createConsent({
    clientId: app.clientId,
    domain,
    codePrefix: "na1-",
    defaultScope: "",
    denied: { error: "access_denied", error_description: "The user denied the request." },
    allowsCallback,
  });

  function token(request: SandboxRequest): SandboxResponse {
    // Only the form counts, because a secret in an address would end up in logs.
    const form = new URLSearchParams(request.body);
    const refused = refuseApp(form);
    if (refused !== null) return refused;
    const grantType = form.get("grant_type");
    if (grantType === "authorization_code") return exchangeCode(form);
    if (grantType !== "refresh_token")
      return oauthError("unsupported_grant_type", "BAD_GRANT_TYPE", "missing or unknown grant type");
    const presented = hash(form.get("refresh_token") ?? "");
    const grant = state.grants.find(({ refreshHash }) => refreshHash === presented);
    if (grant === undefined)
      return oauthError("invalid_grant", "BAD_REFRESH_TOKEN", "missing or unknown refresh token");
    return tokens(grant, form.get("refresh_token") ?? "");
  }

  function refuseApp(form: URLSearchParams): SandboxResponse | null {
    if (form.get("client_id") !== app.clientId)
      return oauthError("invalid_client", "BAD_CLIENT_ID", "missing or unknown client id");
    if (form.get("client_secret") !== app.clientSecret)
      return oauthError("invalid_client", "BAD_CLIENT_SECRET", "missing or invalid client secret");
    return null;
  }

  function exchangeCode(form: URLSearchParams): SandboxResponse {
    const asked = takeCode(form.get("code") ?? "");
    if (asked === null) return oauthError("invalid_grant", "BAD_AUTH_CODE", "missing or unknown auth code");
    if (form.get("redirect_uri") !== asked.redirectUri)
      return oauthError("invalid_grant", "BAD_REDIRECT_URI", "redirect URI does not match the one of the auth code");
    const refreshToken = `na1-${randomUUID()}`;
    const grant: StoredGrant = { refreshHash: hash(refreshToken), access: [] };
    state.grants = [...state.grants, grant].slice(-100);
    return tokens(grant, refreshToken);
  }

  function tokens(grant: StoredGrant, refreshToken: string): SandboxResponse {
    const accessToken = newToken("CPuZ");
    grant.access = [...grant.access, { hash: hash(accessToken), expiresMs: Date.now() + accessMs }].slice(-5);
    store.save();
    return json(200, {
      token_type: "bearer",
      refresh_token: refreshToken,
      access_token: accessToken,
      hub_id: hubId,
      scopes: ["oauth", "crm.objects.contacts.read", "crm.objects.contacts.write", "crm.objects.owners.read"],
      user_id: 7_301_442,
      expires_in: Math.floor(accessMs / 1000),
    });
  }

  function revoke(request: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(request.body);
    const refused = refuseApp(form);
    if (refused !== null) return refused;
    const presented = hash(form.get("token") ?? "");
    if (!state.grants.some(({ refreshHash }) => refreshHash === presented)) return invalid("Unknown token");
    // Its access tokens stay valid until they expire.
    for (const grant of state.grants) if (grant.refreshHash === presented) grant.refreshHash = "";
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  return {
    authorise,
    decide,
    token,
    revoke,
    /** missing, or expired for that long. Null if it is valid. */
    refuseAccess(accessToken: string): { expiredMs: number | null } | null {
      const known = state.grants.flatMap(({ access }) => access).find((one) => one.hash === hash(accessToken));
      if (known === undefined) return { expiredMs: null };
      return known.expiresMs > Date.now() ? null : { expiredMs: known.expiresMs };
    },
    expireAccess(): void {
      for (const { access } of state.grants) for (const one of access) one.expiresMs = Date.now() - 1;
    },
    endAllGrants(): void {
      state.grants = [];
      store.save();
    },
  };
}
