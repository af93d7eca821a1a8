import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Configuration, Provider } from "oidc-provider";

/** A user of the provider, who logs in by typing an email address. */
interface ProviderPerson {
  subject: string;
  email: string;
  /** Null: the provider doesn't say. */
  emailVerified: boolean | null;
  firstName: string;
  lastName: string;
}

export interface LoginProviderServer {
  /** The settings that Leadline needs. */
  settings: { issuer: URL; clientId: string; clientSecret: string; name: string; trustEmail: boolean };
  /** By email address; may be changed at any time. */
  people: Map<string, ProviderPerson>;
  /** Adds a new verified user. */
  newPerson(more?: Partial<ProviderPerson>): ProviderPerson;
  /** From then on it redirects users back to this origin. */
  serve(origin: string): void;
  close(): Promise<void>;
}

/** A real OpenID Connect provider on loopback, with a login page and a logout page. */
export async function startLoginProvider(): Promise<LoginProviderServer> {
  const people = new Map<string, ProviderPerson>();
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = (_, response) =>
    response.writeHead(503).end();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const issuer = new URL(`http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`);
  const clientSecret = randomBytes(24).toString("hex");
  const settings = { issuer, clientId: "leadline", clientSecret, name: "Harbour ID", trustEmail: false };
  return {
    settings,
    people,
    newPerson(more = {}) {
      const email = `${randomUUID()}@example.com`;
      const person = { subject: randomUUID(), email, emailVerified: true, firstName: "Ada", lastName: "Deep", ...more };
      people.set(person.email, person);
      return person;
    },
    serve(origin) {
      const provider = new Provider(issuer.origin, configure(settings, people, origin));
      const byProvider = provider.callback();
      answer = (request, response) =>
        request.url?.startsWith("/interaction/")
          ? signInPage(provider, people, request, response)
          : byProvider(request, response);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function configure(
  { clientId, clientSecret }: LoginProviderServer["settings"],
  people: ReadonlyMap<string, ProviderPerson>,
  origin: string,
): Configuration {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${origin}/oauth2/callback`],
        post_logout_redirect_uris: [`${origin}/`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    pkce: { required: () => true },
    cookies: { keys: [randomBytes(24).toString("hex")] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(ctx, form) {
          ctx.body = page(
            `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          );
        },
      },
    },
    findAccount(_, subject) {
      const person = [...people.values()].find((known) => known.subject === subject);
      if (person === undefined) return undefined;
      const { email, emailVerified, firstName, lastName } = person;
      const verified = emailVerified === null ? {} : { email_verified: emailVerified };
      const claims = { email, ...verified, given_name: firstName, family_name: lastName };
      return { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
  };
}

/** GET shows the page; POST logs in the named user, or returns without one. */
async function signInPage(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    const form = `<form method="post"><label>Email <input name="email"></label> <button>Sign in</button> <button name="cancel" value="yes">Cancel</button></form>`;
    response.writeHead(200, { "content-type": "text/html" }).end(page(form));
    return;
  }
  const fields = new URLSearchParams(await text(request));
  const person = people.get(fields.get("email") ?? "");
  if (person === undefined || fields.has("cancel")) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
    return;
  }
  const grant = new provider.Grant({ accountId: person.subject, clientId: String(params["client_id"]) });
  grant.addOIDCScope("openid email profile");
  const result = { login: { accountId: person.subject }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>Harbour ID</title><h1>Harbour ID</h1>${body}</html>`;

/** Logs in without a browser: resolves to the address that the provider finally redirects to. */
export async function signInAt(authorizationUrl: string, email: string): Promise<URL> {
  const jar = new Map<string, string>();
  const { origin } = new URL(authorizationUrl);
  let url = new URL(authorizationUrl);
  while (url.origin === origin) {
    const asks = url.pathname.startsWith("/interaction/");
    const answer = await fetch(url, {
      redirect: "manual",
      method: asks ? "POST" : "GET",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(asks && { body: new URLSearchParams({ email }) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined) jar.set(name, value ?? "");
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}
