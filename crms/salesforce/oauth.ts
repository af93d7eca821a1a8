import { CrmError, type CrmGrant, type CrmLogin, type CrmSandbox, whatToSet } from "@leadline/adapter-kit/crm";
import { parseLoosely } from "@leadline/adapter-kit/crm-http";
import { z } from "zod";
import type { Api } from "./api.ts";
import { checkInstanceUrl } from "./workspace-domain.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  instance_url: z.string(),
  /** https://login.salesforce.com/id/{organisation}/{user} */
  id: z.string().optional(),
});
/** Somebody waits on a page, or other workers for the lock: less than the ten seconds that a browser gives. */
const timeoutMs = 8_000;

const form = { "content-type": "application/x-www-form-urlencoded" };

const OAuthError = z.object({ error: z.string(), error_description: z.string().default("") });

interface Credentials {
  clientId: string;
  clientSecret: string | null;
}
export interface OAuthOptions {
  api: Api;
  sandbox: CrmSandbox | null;
  /** Null where the installation has none. */
  app: Credentials | null;
}

const missing = whatToSet("Salesforce", "SALESFORCE_CLIENT_ID");

export function createOAuth({ api, sandbox, app }: OAuthOptions) {
  function credentialsFor(workspaceDomain: string): Credentials {
    if (workspaceDomain === sandbox?.domain) return { clientId: sandbox.clientId, clientSecret: null };
    if (app !== null) return app;
    throw new CrmError("refused", missing);
  }

  async function askForTokens(
    workspaceDomain: string,
    fields: Record<string, string>,
  ): Promise<z.output<typeof TokenAnswer>> {
    const { clientId, clientSecret } = credentialsFor(workspaceDomain);
    const secret = clientSecret === null ? {} : { client_secret: clientSecret };
    const body = new URLSearchParams({ ...fields, client_id: clientId, ...secret, format: "json" }).toString();
    const url = new URL(`https://${workspaceDomain}/services/oauth2/token`);
    const answer = await api.send({ url, headers: form, body, timeoutMs });
    if (answer.status >= 400) throw readOAuthError(answer.text) ?? api.unreadable();
    return api.readJson(TokenAnswer, answer.text);
  }

  function toGrant(tokens: z.output<typeof TokenAnswer>, former: CrmGrant | null): CrmGrant {
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? former?.refreshToken ?? null,
      // It names no time: the access token is good until the API says otherwise.
      expiresAt: null,
      own: { instanceUrl: checkInstanceUrl(tokens.instance_url, sandbox?.domain ?? null) },
      accountId: /\/id\/(\w{15,18})\//.exec(tokens.id ?? "")?.[1] ?? former?.accountId ?? null,
    };
  }

  return {
    notRegistered: app === null ? missing : null,
    authoriseUrl(login: CrmLogin & { state: string; codeChallenge: string }): string {
      const { callbackUrl, state, codeChallenge } = login;
      const workspaceDomain = domainOf(login.workspace);
      const path = "/services/oauth2/authorize";
      const url =
        workspaceDomain === sandbox?.domain
          ? new URL(sandbox.browserPath + path, callbackUrl)
          : new URL(path, `https://${workspaceDomain}`);
      url.search = new URLSearchParams({
        response_type: "code",
        client_id: credentialsFor(workspaceDomain).clientId,
        redirect_uri: callbackUrl,
        scope: "api refresh_token",
        state,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      }).toString();
      return url.href;
    },

    async exchangeCode(login: CrmLogin & { code: string; codeVerifier: string }): Promise<CrmGrant> {
      const { callbackUrl, code, codeVerifier } = login;
      const fields = { grant_type: "authorization_code", code, redirect_uri: callbackUrl, code_verifier: codeVerifier };
      return toGrant(await askForTokens(domainOf(login.workspace), fields), null);
    },

    async refresh(workspace: string | null, grant: CrmGrant): Promise<CrmGrant> {
      if (grant.refreshToken === null)
        throw new CrmError("grant-refused", "Salesforce gave Leadline access for a short time only.");
      const fields = { grant_type: "refresh_token", refresh_token: grant.refreshToken };
      return toGrant(await askForTokens(domainOf(workspace), fields), grant);
    },

    async revoke(workspace: string | null, grant: CrmGrant): Promise<void> {
      // With the refresh token, its access tokens end too.
      const body = new URLSearchParams({ token: grant.refreshToken ?? grant.accessToken }).toString();
      const url = new URL(`https://${domainOf(workspace)}/services/oauth2/revoke`);
      await api.send({ url, headers: form, body, timeoutMs });
    },
  };
}

/** Every customer has one; an integration without it was not made by this adapter. */
function domainOf(workspace: string | null): string {
  if (workspace !== null) return workspace;
  throw new CrmError("refused", "This integration has no workspace domain. Remove it and add it again.");
}

/** Some arrive with hyphens in place of underscores. Null if it isn't an OAuth error, such as a proxy's page. */
function readOAuthError(text: string): CrmError | null {
  const error = parseLoosely(OAuthError, text)?.error.replaceAll("-", "_");
  if (error === undefined) return null;
  if (error === "rate_limit_exceeded" || error === "login_rate_exceeded")
    return new CrmError("limited", "Salesforce asks to slow down.");
  if (/^invalid_client|^redirect_uri|^unsupported|^invalid_app/.test(error))
    return new CrmError(
      "refused",
      `Salesforce rejected Leadline’s client ID or secret (${error}). Tell the administrator of this server.`,
    );
  return new CrmError("grant-refused", "Salesforce denied or revoked Leadline’s access.", {
    cause: error,
  });
}
