import { CrmError, type CrmGrant, type CrmLogin, type CrmSandbox } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import { type Api, readErrorBody, readJson } from "./api.ts";
import { hostOf } from "./workspace.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Seconds. */
  expires_in: z.number().positive(),
  /** Who allowed it. */
  ref: z.object({ type: z.string(), id: z.int() }).nullish(),
});

const authorisePath = "/oauth/authorize";
const tokenPath = "/oauth/token/v2";
/** Podio has no narrower scope for comments (Scopes). */
const scope = "global:read global:write";
/** Somebody waits on a page, or other workers for the lock: less than the ten seconds that a browser gives. */
const timeoutMs = 8_000;

interface App {
  clientId: string;
  clientSecret: string;
}
export interface OAuthOptions {
  api: Api;
  sandbox: CrmSandbox | null;
  /** Null where the installation has none. */
  app: App | null;
}

/** The app proves itself by its secret: Podio's server-side flow knows no challenge, so none is sent. */
export function createOAuth({ api, sandbox, app }: OAuthOptions) {
  const isSandbox = (workspace: string | null): boolean => workspace !== null && workspace === sandbox?.domain;

  function appFor(workspace: string | null): App {
    if (sandbox !== null && isSandbox(workspace))
      return { clientId: sandbox.clientId, clientSecret: sandbox.clientSecret ?? "" };
    if (app !== null) return app;
    throw new CrmError(
      "refused",
      "Leadline isn’t registered with Podio yet. The administrator of this server must set PODIO_CLIENT_ID and PODIO_CLIENT_SECRET.",
    );
  }

  async function askForGrant(
    workspace: string | null,
    fields: Record<string, string>,
    former: CrmGrant | null,
  ): Promise<CrmGrant> {
    const { clientId: client_id, clientSecret: client_secret } = appFor(workspace);
    const askedMs = Date.now();
    const answer = await api.send({
      method: "POST",
      url: new URL(`https://${hostOf(workspace)}${tokenPath}`),
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ ...fields, client_id, client_secret }),
      timeoutMs,
    });
    if (answer.status >= 400) throw readOAuthError(answer.text);
    const tokens = readJson(TokenAnswer, answer.text);
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? former?.refreshToken ?? null,
      expiresAt: new Date(askedMs + tokens.expires_in * 1000).toISOString(),
      accountId: tokens.ref ? `${tokens.ref.type}:${tokens.ref.id}` : (former?.accountId ?? null),
      own: { apiHost: hostOf(workspace) },
    };
  }

  return {
    authoriseUrl({ workspace, callbackUrl, state }: CrmLogin & { state: string; codeChallenge: string }): string {
      const url =
        sandbox !== null && isSandbox(workspace)
          ? new URL(sandbox.browserPath + authorisePath, callbackUrl)
          : new URL(authorisePath, "https://podio.com");
      const client_id = appFor(workspace).clientId;
      url.search = new URLSearchParams({ client_id, redirect_uri: callbackUrl, scope, state }).toString();
      return url.href;
    },

    exchangeCode({ workspace, callbackUrl, code }: CrmLogin & { code: string; codeVerifier: string }) {
      const fields = { grant_type: "authorization_code", code, redirect_uri: callbackUrl };
      return askForGrant(workspace, fields, null);
    },

    async refresh(workspace: string | null, grant: CrmGrant): Promise<CrmGrant> {
      if (grant.refreshToken === null)
        throw new CrmError("grant-refused", "Podio gave Leadline access for a short time only.");
      return askForGrant(workspace, { grant_type: "refresh_token", refresh_token: grant.refreshToken }, grant);
    },

    /** Podio documents no way to give access up: nobody keeps the tokens, and they run out. */
    async revoke(): Promise<void> {},
  };
}

function readOAuthError(text: string): CrmError {
  const { error, description } = readErrorBody(text);
  if (/^(invalid|unauthorized)_client$|^unsupported_grant_type$/.test(error))
    return new CrmError(
      "refused",
      `Podio rejected Leadline’s client ID or secret (${error}). Tell the administrator of this server.`,
    );
  return new CrmError("grant-refused", "Podio denied or revoked Leadline’s access.", {
    cause: description || error,
  });
}
