import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { parseLoosely } from "@leadline/adapter-kit/crm-http";
import { createSecretCodeFlow, type SecretCodeFlow } from "@leadline/adapter-kit/secret-code-flow";
import { z } from "zod";
import type { Api } from "./api.ts";
import { hostOf } from "./workspace.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Seconds. */
  expires_in: z.number().positive(),
  /** The customer's account. */
  hub_id: z.int().optional(),
});
/** `status` is HubSpot's own name of the error. */
const OAuthError = z
  .object({ error: z.string().default(""), status: z.string().default("") })
  .refine(({ error, status }) => error !== "" || status !== "");

const tokenPath = "/oauth/2026-03/token";
const scope = "oauth crm.objects.contacts.read crm.objects.contacts.write crm.objects.owners.read";
/** Below a browser's time-out of ten seconds, because a person waits for a page, or other workers for the lock. */
const timeoutMs = 8_000;

export interface OAuthOptions extends Pick<SecretCodeFlow, "sandbox" | "app"> {
  api: Api;
}

export function createOAuth({ api, sandbox, app }: OAuthOptions) {
  function post(workspace: string | null, path: string, fields: Record<string, string>) {
    const url = new URL(`https://${hostOf(workspace)}${path}`);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return api.send({ url, headers, body: new URLSearchParams(fields).toString(), timeoutMs });
  }

  const flow = createSecretCodeFlow({
    name: "HubSpot",
    settings: "HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET",
    authorise: { origin: "https://app.hubspot.com", path: "/oauth/authorize", scope },
    sandbox,
    app,
    async requestGrant(workspace, fields, former) {
      const askedMs = Date.now();
      const answer = await post(workspace, tokenPath, fields);
      if (answer.status >= 400) throw readOAuthError(answer.text) ?? api.unreadable();
      const tokens = api.readJson(TokenAnswer, answer.text);
      return {
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? former?.refreshToken ?? null,
        expiresAt: new Date(askedMs + tokens.expires_in * 1000).toISOString(),
        accountId: tokens.hub_id === undefined ? (former?.accountId ?? null) : String(tokens.hub_id),
        own: { apiHost: hostOf(workspace) },
      };
    },
  });

  return {
    ...flow,

    /** The access token stays valid for the rest of its half hour, but isn't stored. */
    async revoke(workspace: string | null, grant: CrmGrant): Promise<void> {
      if (grant.refreshToken === null) return;
      const fields = { token: grant.refreshToken, token_type_hint: "refresh_token", ...flow.credentialsFor(workspace) };
      await post(workspace, `${tokenPath}/revoke`, fields);
    },
  };
}

/** Null if it isn't an OAuth error, such as a proxy's page. */
function readOAuthError(text: string): CrmError | null {
  const parsed = parseLoosely(OAuthError, text);
  if (parsed === null) return null;
  const { error, status } = parsed;
  if (/^(invalid|unauthorized)_client$/.test(error) || /CLIENT|REDIRECT|GRANT_TYPE/.test(status))
    return new CrmError(
      "refused",
      `HubSpot rejected Leadline’s client ID or secret (${status || error}). Tell the administrator of this server.`,
    );
  return new CrmError("grant-refused", "HubSpot denied or revoked Leadline’s access.", {
    cause: status || error,
  });
}
