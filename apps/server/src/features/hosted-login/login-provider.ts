import { RegisterInput } from "@leadline/contract/sessions";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  discovery,
  fetchUserInfo,
} from "openid-client";
import type { OidcSettings } from "../../config.ts";

/** A provider's claims about a signed-in person. */
export interface ProvenPerson {
  issuer: string;
  subject: string;
  /** Lower case. Null if the provider hasn't verified it. */
  verifiedEmail: string | null;
  /** Whether the provider reports at all if addresses are verified. */
  saysWhetherVerified: boolean;
  firstName: string;
  lastName: string;
}

/** What the browser brought back. */
export interface Callback {
  code: string;
  state: string;
  iss: string | undefined;
}

interface Secrets {
  codeVerifier: string;
  nonce: string;
}

export interface LoginProvider {
  name: string;
  /** Throws if it can't be reached or isn't an OpenID provider. */
  lookUp(): Promise<void>;
  authorizationUrl(asked: Secrets & { state: string }): Promise<string>;
  /** The authorization code grant, form-encoded, with PKCE. Throws if the provider refuses or its ID token is invalid. */
  exchange(callback: Callback, expected: Secrets): Promise<{ person: ProvenPerson; idToken: string }>;
  /** The provider's logout page, which redirects back to ours. Null if it has none. */
  endSessionUrl(idToken: string): Promise<string | null>;
}

const timeOutSeconds = 8;

/**
 * An OpenID Connect provider. Its discovery document is fetched at the first login, and again after a failure, so that
 * it may start later than Leadline.
 */
export function createLoginProvider(settings: OidcSettings, publicAddress: Promise<string>): LoginProvider {
  let known: Promise<Configuration> | undefined;
  const configuration = (): Promise<Configuration> => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const redirectUri = async () => `${await publicAddress}/oauth2/callback`;

  return {
    name: settings.name,
    async lookUp() {
      await configuration();
    },
    async authorizationUrl({ state, nonce, codeVerifier }) {
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: await redirectUri(),
        scope: "openid email profile",
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      return url.href;
    },
    async exchange({ code, state, iss }, { codeVerifier, nonce }) {
      const config = await configuration();
      const callback = new URL(await redirectUri());
      for (const [name, value] of Object.entries({ code, state, iss })) {
        if (value !== undefined) callback.searchParams.set(name, value);
      }
      const tokens = await authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error("the hosted login sent no ID token");
      // Many providers leave the email address out of the ID token.
      const isWhole = claims["email"] !== undefined && claims["email_verified"] !== undefined;
      const asksMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
      const more = asksMore ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      const person = toPerson(claims.iss, claims.sub, { ...claims, ...more }, settings);
      return { person, idToken: tokens.id_token };
    },
    async endSessionUrl(idToken) {
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      const post_logout_redirect_uri = `${await publicAddress}/`;
      return buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri }).href;
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  // config.ts accepts a provider without TLS only on this machine.
  const execute = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
  const found = await discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: timeOutSeconds });
  const server = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
  const config = new Configuration(server, clientId, clientSecret, authentication(clientSecret));
  config.timeout = timeOutSeconds;
  for (const allow of execute) allow(config);
  return config;
}

function toPerson(
  issuer: string,
  subject: string,
  claims: Record<string, unknown>,
  { trustEmail }: Pick<OidcSettings, "trustEmail">,
): ProvenPerson {
  const text = (name: string): string => {
    const value = claims[name];
    return typeof value === "string"
      ? value
          .replaceAll(/[\s\p{Cc}]+/gu, " ")
          .trim()
          .slice(0, 50)
      : "";
  };
  const email = RegisterInput.shape.email.safeParse(claims["email"]).data ?? null;
  const said = claims["email_verified"] ?? null;
  // Cognito's userinfo returns true as a string.
  const isVerified = said === null ? trustEmail : said === true || said === "true";
  const [firstOfName = "", ...restOfName] = text("name").split(/\s+/);
  return {
    issuer,
    subject,
    verifiedEmail: isVerified ? email : null,
    saysWhetherVerified: said !== null,
    firstName: text("given_name") || firstOfName || (email?.split("@", 1)[0] ?? "").slice(0, 50),
    lastName: text("family_name") || restOfName.join(" "),
  };
}
