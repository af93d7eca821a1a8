import { createConsent } from "../create-consent.ts";
import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { hash, newToken } from "../waiting.ts";
import { apiError } from "./errors.ts";
import type { Store, StoredGrant } from "./store.ts";

export interface OAuthOptions {
  store: Store;
  app: { clientId: string; clientSecret: string };
  domain: string;
  /** How long tokens are valid, in milliseconds. */
  accessMs: number;
  refreshMs: number;
  /** The allowed redirect addresses. */
  allowsCallback(callback: URL, request: SandboxRequest): boolean;
}

/** Colleagues who see the same apps. */
const userIds = [5_770_001, 5_770_002];

/**
 * The server-side flow. A refresh token works once; the documentation leaves that open, and this is the stricter
 * reading.
 */
export function createOAuth({ store, app, domain, accessMs, refreshMs, allowsCallback }: OAuthOptions) {
  const { state } = store;
  let [signedIn = 0] = userIds;
  const { authorise, decide, takeCode } = createConsent({
    clientId: app.clientId,
    domain,
    codePrefix: "",
    defaultScope: "global:all",
    denied: {
      error_reason: "user_denied",
      error: "access_denied",
      error_description: "The user denied your request.",
    },
    allowsCallback,
  });

  function token(request: SandboxRequest): SandboxResponse {
    const given = readBody(request);
    if (given["client_id"] !== app.clientId || given["client_secret"] !== app.clientSecret)
      return apiError(401, "invalid_client", "Invalid client_id or client_secret");
    if (given["grant_type"] === "authorization_code") return exchangeCode(given);
    if (given["grant_type"] === "refresh_token") return refresh(given["refresh_token"] ?? "");
    return apiError(400, "unsupported_grant_type", "The grant type is not supported");
  }

  function exchangeCode(given: Record<string, string>): SandboxResponse {
    const asked = takeCode(given["code"] ?? "");
    if (asked === null) return apiError(400, "invalid_grant", "The authorization code is invalid or has expired");
    if (given["redirect_uri"] !== asked.redirectUri)
      return apiError(400, "invalid_grant", "The redirect_uri does not match that of the authorization");
    const { scope } = asked;
    const grant: StoredGrant = {
      userId: signedIn,
      scope,
      refreshHash: "",
      refreshUntilMs: 0,
      replaced: [],
      access: [],
    };
    state.grants = [...state.grants, grant].slice(-100);
    return tokens(grant);
  }

  function refresh(refreshToken: string): SandboxResponse {
    const presented = hash(refreshToken);
    const grant = state.grants.find(({ refreshHash }) => refreshHash === presented);
    if (grant !== undefined && grant.refreshUntilMs > Date.now()) return tokens(grant);
    state.grants = state.grants.filter(({ replaced }) => !replaced.includes(presented));
    store.save();
    return apiError(400, "invalid_grant", "The refresh token is invalid or has expired");
  }

  function tokens(grant: StoredGrant): SandboxResponse {
    const [accessToken, refreshToken] = [newToken(""), newToken("")];
    grant.access = [...grant.access, { hash: hash(accessToken), expiresMs: Date.now() + accessMs }].slice(-5);
    if (grant.refreshHash !== "") grant.replaced = [...grant.replaced, grant.refreshHash].slice(-5);
    grant.refreshHash = hash(refreshToken);
    grant.refreshUntilMs = Date.now() + refreshMs;
    store.save();
    return json(200, {
      access_token: accessToken,
      token_type: "bearer",
      expires_in: Math.floor(accessMs / 1000),
      refresh_token: refreshToken,
      scope: grant.scope,
      ref: { type: "user", id: grant.userId },
    });
  }

  return {
    authorise,
    decide,
    token,
    /** Null if the token grants the permission. */
    refuseAccess(accessToken: string, permission: "read" | "write" | "delete"): SandboxResponse | null {
      const matches = (one: { hash: string }): boolean => one.hash === hash(accessToken);
      const grant = state.grants.find(({ access }) => access.some(matches));
      const known = grant?.access.find(matches);
      if (grant === undefined || known === undefined) return apiError(401, "unauthorized", "invalid_token");
      if (known.expiresMs <= Date.now()) return apiError(401, "unauthorized", "expired_token");
      const allows = grant.scope.split(" ");
      if (allows.includes("global:all") || allows.includes(`global:${permission}`)) return null;
      return apiError(403, "forbidden", `The scope does not allow to ${permission}`);
    },
    signInColleague(): void {
      signedIn = userIds.find((id) => id !== signedIn) ?? signedIn;
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

/** JSON, or a form as older clients send it. A secret in the URL ends up in logs, so it is ignored. */
function readBody({ headers, body }: SandboxRequest): Record<string, string> {
  if (!String(headers["content-type"] ?? "").includes("json")) return Object.fromEntries(new URLSearchParams(body));
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
