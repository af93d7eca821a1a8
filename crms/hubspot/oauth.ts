import { CrmError, type CrmGrant, type CrmLogin, type CrmSandbox } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import { type Api, parseLoosely, readJson } from "./api.ts";
import { hostOf } from "./workspace.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Seconds. */
  expires_in: z.number().positive(),
  /** The customer's account. */
  hub_id: z.int().optional(),
});
/** `status` is HubSpot's own word for the error. */
const OAuthError = z.object({ error: z.string().default(""), status: z.string().default("") });

const authorisePath = "/oauth/authorize";
const tokenPath = "/oauth/2026-03/token";
const scope = "oauth crm.objects.contacts.read crm.objects.contacts.write crm.objects.owners.read";
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

/** The app proves itself by its secret: HubSpot's code flow knows no challenge, so none is sent. */
export function createOAuth({ api, sandbox, app }: OAuthOptions) {
  const isSandbox = (workspace: string | null): boolean => workspace !== null && workspace === sandbox?.domain;

  function appFor(workspace: string | null): App {
    if (sandbox !== null && isSandbox(workspace))
      return { clientId: sandbox.clientId, clientSecret: sandbox.clientSecret ?? "" };
    if (app !== null) return app;
    throw new CrmError(
      "refused",
      "Leadline isn’t registered with HubSpot yet. The administrator of this server must set HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET.",
    );
  }

  function post(workspace: string | null, path: string, fields: Record<string, string>) {
    const { clientId: client_id, clientSecret: client_secret } = appFor(workspace);
    const body = new URLSearchParams({ ...fields, client_id, client_secret }).toString();
    const url = new URL(`https://${hostOf(workspace)}${path}`);
    const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
    return api.send({ method: "POST", url, headers, body, timeoutMs });
  }

  async function askForGrant(
    workspace: string | null,
    fields: Record<string, string>,
    former: CrmGrant | null,
  ): Promise<CrmGrant> {
    const askedMs = Date.now();
    const answer = await post(workspace, tokenPath, fields);
    if (answer.status >= 400) throw readOAuthError(answer.text);
    const tokens = readJson(TokenAnswer, answer.text);
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? former?.refreshToken ?? null,
      expiresAt: new Date(askedMs + tokens.expires_in * 1000).toISOString(),
      accountId: tokens.hub_id === undefined ? (former?.accountId ?? null) : String(tokens.hub_id),
      own: { apiHost: hostOf(workspace) },
    };
  }

  return {
    authoriseUrl({ workspace, callbackUrl, state }: CrmLogin & { state: string; codeChallenge: string }): string {
      const url =
        sandbox !== null && isSandbox(workspace)
          ? new URL(sandbox.browserPath + authorisePath, callbackUrl)
          : new URL(authorisePath, "https://app.hubspot.com");
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
        throw new CrmError("grant-refused", "HubSpot gave Leadline access for a short time only.");
      return askForGrant(workspace, { grant_type: "refresh_token", refresh_token: grant.refreshToken }, grant);
    },

    /** The access token goes on for the rest of its half hour; nobody keeps it. */
    async revoke(workspace: string | null, grant: CrmGrant): Promise<void> {
      if (grant.refreshToken === null) return;
      const fields = { token: grant.refreshToken, token_type_hint: "refresh_token" };
      await post(workspace, `${tokenPath}/revoke`, fields);
    },
  };
}

function readOAuthError(text: string): CrmError {
  const { error, status } = OAuthError.safeParse(parseLoosely(text)).data ?? { error: "", status: "" };
  if (/^(invalid|unauthorized)_client$/.test(error) || /CLIENT|REDIRECT|GRANT_TYPE/.test(status))
    return new CrmError(
      "refused",
      `HubSpot rejected Leadline’s client ID or secret (${status || error}). Tell the administrator of this server.`,
    );
  return new CrmError("grant-refused", "HubSpot denied or revoked Leadline’s access.", {
    cause: status || error,
  });
}
