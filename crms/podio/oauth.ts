import { CrmError } from "@leadline/adapter-kit/crm";
import { createSecretCodeFlow, type SecretCodeFlow } from "@leadline/adapter-kit/secret-code-flow";
import { z } from "zod";
import { type Api, readErrorBody } from "./api.ts";
import { hostOf } from "./workspace.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  /** Seconds. */
  expires_in: z.number().positive(),
  /** The person who granted access. */
  ref: z.object({ type: z.string(), id: z.int() }).nullish(),
});

/** Podio has no narrower scope for comments, nor for deleting the hooks that Leadline made (Scopes). */
const scope = "global:read global:write global:delete";
/** Below a browser's time-out of ten seconds, because a person waits for a page, or other workers for the lock. */
const timeoutMs = 8_000;

export interface OAuthOptions extends Pick<SecretCodeFlow, "sandbox" | "app"> {
  api: Api;
}

export function createOAuth({ api, sandbox, app }: OAuthOptions) {
  const flow = createSecretCodeFlow({
    name: "Podio",
    settings: "PODIO_CLIENT_ID and PODIO_CLIENT_SECRET",
    authorise: { origin: "https://podio.com", path: "/oauth/authorize", scope },
    sandbox,
    app,
    async requestGrant(workspace, fields, former) {
      const askedMs = Date.now();
      const answer = await api.send({
        url: new URL(`https://${hostOf(workspace)}/oauth/token/v2`),
        json: fields,
        timeoutMs,
      });
      if (answer.status >= 400) throw readOAuthError(answer.text) ?? api.unreadable();
      const tokens = api.readJson(TokenAnswer, answer.text);
      return {
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? former?.refreshToken ?? null,
        expiresAt: new Date(askedMs + tokens.expires_in * 1000).toISOString(),
        accountId: tokens.ref ? `${tokens.ref.type}:${tokens.ref.id}` : (former?.accountId ?? null),
        own: { apiHost: hostOf(workspace) },
      };
    },
  });
  return {
    ...flow,
    /** Podio documents no way to revoke access, so the tokens are only deleted here, and expire. */
    async revoke(): Promise<void> {},
  };
}

/** Null if it isn't an OAuth error, such as a proxy's page. */
function readOAuthError(text: string): CrmError | null {
  const body = readErrorBody(text);
  if (body === null) return null;
  const { error, description } = body;
  if (/^(invalid|unauthorized)_client$|^unsupported_grant_type$/.test(error))
    return new CrmError(
      "refused",
      `Podio rejected Leadline’s client ID or secret (${error}). Tell the administrator of this server.`,
    );
  return new CrmError("grant-refused", "Podio denied or revoked Leadline’s access.", {
    cause: description || error,
  });
}
