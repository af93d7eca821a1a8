import { CrmError, type CrmGrant, type CrmLogin, type CrmSandbox, whatToSet } from "./crm.ts";

export interface OAuthApp {
  clientId: string;
  clientSecret: string;
}

export interface SecretCodeFlow {
  /** The CRM's display name. */
  name: string;
  /** The environment variables that configure the app, for the administrator. */
  settings: string;
  authorise: { origin: string; path: string; scope: string };
  sandbox: CrmSandbox | null;
  /** Null if the installation has none. */
  app: OAuthApp | null;
  /**
   * Sends the fields of a token request (RFC 6749, 4.1.3 and 6). `former` is the grant being replaced. Null at the
   * first login.
   */
  requestGrant(workspace: string | null, fields: Record<string, string>, former: CrmGrant | null): Promise<CrmGrant>;
}

/**
 * The authorisation code flow of a CRM without PKCE: the app authenticates with its secret in the body (RFC 6749,
 * 2.3.1).
 */
export function createSecretCodeFlow({ name, settings, authorise, sandbox, app, requestGrant }: SecretCodeFlow) {
  const missing = whatToSet(name, settings);

  function sandboxOf(workspace: string | null): CrmSandbox | null {
    return workspace !== null && workspace === sandbox?.domain ? sandbox : null;
  }

  function credentialsFor(workspace: string | null): { client_id: string; client_secret: string } {
    const own = sandboxOf(workspace);
    if (own !== null) return { client_id: own.clientId, client_secret: own.clientSecret ?? "" };
    if (app !== null) return { client_id: app.clientId, client_secret: app.clientSecret };
    throw new CrmError("refused", missing);
  }

  return {
    credentialsFor,
    notRegistered: app === null ? missing : null,

    authoriseUrl({ workspace, callbackUrl, state }: CrmLogin & { state: string; codeChallenge: string }): string {
      const own = sandboxOf(workspace);
      const url =
        own === null
          ? new URL(authorise.path, authorise.origin)
          : new URL(own.browserPath + authorise.path, callbackUrl);
      const { client_id } = credentialsFor(workspace);
      const { scope } = authorise;
      url.search = new URLSearchParams({ client_id, redirect_uri: callbackUrl, scope, state }).toString();
      return url.href;
    },

    exchangeCode({ workspace, callbackUrl, code }: CrmLogin & { code: string; codeVerifier: string }) {
      const fields = { grant_type: "authorization_code", code, redirect_uri: callbackUrl };
      return requestGrant(workspace, { ...fields, ...credentialsFor(workspace) }, null);
    },

    async refresh(workspace: string | null, grant: CrmGrant): Promise<CrmGrant> {
      if (grant.refreshToken === null)
        throw new CrmError("grant-refused", `${name} gave Leadline access for a short time only.`);
      const fields = { grant_type: "refresh_token", refresh_token: grant.refreshToken };
      return requestGrant(workspace, { ...fields, ...credentialsFor(workspace) }, grant);
    },
  };
}
