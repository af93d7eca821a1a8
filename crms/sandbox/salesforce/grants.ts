import { json, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { hash, newToken } from "../waiting.ts";
import { oauthError } from "./errors.ts";
import type { Store, StoredGrant } from "./store.ts";

const remember = (list: string[], item: string, most: number): string[] => [...list, item].slice(-most);

/** What was granted: access tokens that run out, and refresh tokens that rotate; an old one that is used again ends its grant. */
export function createGrants({ store, domain }: { store: Store; domain: string }) {
  const { state } = store;

  function begin(): StoredGrant {
    const grant: StoredGrant = { refreshHash: "", spentRefreshHashes: [], accessHashes: [] };
    state.grants = [...state.grants, grant].slice(-100);
    return grant;
  }

  function refresh(form: URLSearchParams): SandboxResponse {
    const presented = hash(form.get("refresh_token") ?? "");
    const reused = state.grants.find((grant) => grant.spentRefreshHashes.includes(presented));
    if (reused !== undefined) endGrant(reused);
    const grant = state.grants.find((candidate) => candidate.refreshHash === presented);
    return grant === undefined ? oauthError("invalid_grant", "expired access/refresh token") : tokens(grant);
  }

  function tokens(grant: StoredGrant): SandboxResponse {
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

  function revoke(request: SandboxRequest): SandboxResponse {
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
    begin,
    tokens,
    refresh,
    revoke,
    end: endGrant,
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
