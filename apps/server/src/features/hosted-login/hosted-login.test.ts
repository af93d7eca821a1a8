import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { type LoginProviderServer, signInAt, startLoginProvider } from "../../testing/login-provider-server.ts";
import { randomAddress, registerPerson, signIn, testApp } from "../../testing/test-app.ts";
import { hostedLoginRoutes } from "./hosted-login.routes.ts";
import { createLoginProvider } from "./login-provider.ts";
import { pruneHostedLoginsJob } from "./prune-hosted-logins.ts";

const origin = "https://phone.example.com";
let elsewhere: LoginProviderServer;
const app = testApp(async ({ signIn: deps }) => {
  elsewhere = await startLoginProvider();
  elsewhere.serve(origin);
  const provider = createLoginProvider(elsewhere.settings, Promise.resolve(origin));
  return hostedLoginRoutes({ ...deps, provider });
});
afterAll(() => elsewhere.close());

const without = testApp(({ signIn: deps }) => hostedLoginRoutes({ ...deps, provider: null }));
const invited = testApp(({ signIn: deps }) =>
  hostedLoginRoutes({ ...deps, provider: null, registration: { domains: [] } }),
);
const trusting = testApp(({ signIn: deps }) => {
  const settings = { ...elsewhere.settings, trustEmail: true };
  return hostedLoginRoutes({ ...deps, provider: createLoginProvider(settings, Promise.resolve(origin)) });
});
const unreachable = testApp(({ signIn: deps }) => {
  const settings = { ...elsewhere.settings, issuer: new URL("http://127.0.0.1:9") };
  return hostedLoginRoutes({ ...deps, provider: createLoginProvider(settings, Promise.resolve(origin)) });
});

async function start(path?: string, at = app): Promise<{ url: string; proof: string }> {
  const started = await at.ask("POST", "/v1/hosted-login", { body: path === undefined ? {} : { path } });
  expect(started.statusCode).toBe(200);
  return started.json();
}

/** Starts a login and signs in at the provider. Returns what the browser brings back. */
async function comeBack(email: string, path?: string, at = app) {
  const { url, proof } = await start(path, at);
  const { searchParams } = await signInAt(url, email);
  return { ...Object.fromEntries(searchParams), state: searchParams.get("state") ?? "", proof };
}

const finish = (returned: Record<string, string>, ip?: string, at = app) =>
  at.ask("POST", "/v1/hosted-login/token", {
    fields: { grant_type: "authorization_code", ...returned },
    ...(ip !== undefined && { ip }),
  });

const logIn = async (email: string) => finish(await comeBack(email));
const me = (token: string, at = app) => at.ask("GET", "/v1/users/me", { token });
const carriedBy = (state: string) => JSON.parse(Buffer.from(state, "base64url").toString());

describe("a hosted login", () => {
  test("registers a person with a verified address, and recognises them next time", async () => {
    const person = elsewhere.newPerson();
    const first = await logIn(person.email);
    expect(first.statusCode).toBe(200);
    expect(Object.keys(first.json()).toSorted()).toEqual(["access_token", "id_token", "refresh_token"]);
    const { access_token: token, refresh_token: refreshToken } = first.json();
    const registered = (await me(token)).json();
    expect(registered).toMatchObject({ firstName: "Ada", lastName: "Deep", email: person.email });
    expect((await app.ask("POST", "/v1/token/refresh", { body: { refreshToken } })).statusCode).toBe(200);

    // There is no password to confirm the change with.
    const change = { email: "other@example.com", currentPassword: "made up" };
    const unchanged = await app.ask("PUT", `/v1/users/${registered.id}`, { token, body: change });
    expect(unchanged.json()).toMatchObject({
      status: 401,
      detail: expect.stringContaining("don’t have a password yet"),
    });

    // The provider's subject identifies a person, whatever their address is now.
    elsewhere.people.set("new@example.com", { ...person, email: "new@example.com", emailVerified: false });
    elsewhere.people.delete(person.email);
    const again = await logIn("new@example.com");
    expect((await me(again.json().access_token)).json().id).toBe(registered.id);
  });

  test("is requested with PKCE, and its state carries the path and a proof", async () => {
    const { url, proof } = await start("/leads?status=New");
    const asked = new URL(url).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("redirect_uri")).toBe(`${origin}/oauth2/callback`);
    expect(asked.get("scope")).toBe("openid email profile");
    const carried = carriedBy(asked.get("state") ?? "");
    expect(carried).toEqual({ path: "/leads?status=New", proof: expect.stringMatching(/^[\w-]{43}$/) });
    expect(carried.proof).not.toBe(proof);
    expect(carriedBy(new URL((await start()).url).searchParams.get("state") ?? "")).not.toHaveProperty("path");
  });

  test.each(["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "leads"])(
    "never carries %j, which isn't a page here",
    async (path) => {
      const refused = await app.ask("POST", "/v1/hosted-login", { body: { path } });
      expect(refused.statusCode).toBe(422);
    },
  );

  test("works once: the same response again signs nobody in", async () => {
    const returned = await comeBack(elsewhere.newPerson().email);
    const answers = await Promise.all([1, 2, 3].map(() => finish(returned)));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 401, 401]);
    expect((await finish(returned)).json()).toMatchObject({ type: "/api/docs#hosted-login-failed" });
  });

  test("uses up its state: another code of the same login signs nobody in", async () => {
    const { email } = elsewhere.newPerson();
    const { url, proof } = await start();
    const [first, second] = [await signInAt(url, email), await signInAt(url, email)].map(({ searchParams }) => ({
      ...Object.fromEntries(searchParams),
      proof,
    }));
    expect((await finish(first ?? {})).statusCode).toBe(200);
    expect((await finish(second ?? {})).statusCode).toBe(401);
  });

  test("can only be finished in the browser that began it", async () => {
    const victim = await start();
    const attacker = await comeBack(elsewhere.newPerson().email);
    expect((await finish({ ...attacker, proof: victim.proof })).statusCode).toBe(401);
  });

  test("refuses a state with another path, another login's code, and a different provider", async () => {
    const changed = await comeBack(elsewhere.newPerson().email, "/leads");
    const state = Buffer.from(JSON.stringify({ ...carriedBy(changed.state), path: "/calls" })).toString("base64url");
    expect((await finish({ ...changed, state })).statusCode).toBe(401);

    const mine = await comeBack(elsewhere.newPerson().email);
    const theirs = await comeBack(elsewhere.newPerson().email);
    const { code } = { code: "", ...theirs };
    expect((await finish({ ...mine, code })).statusCode).toBe(401);

    const mixedUp = await comeBack(elsewhere.newPerson().email);
    expect((await finish({ ...mixedUp, iss: "https://evil.example" })).statusCode).toBe(401);
  });

  test("accepts form-encoded fields only", async () => {
    const body = { grant_type: "authorization_code", ...(await comeBack(elsewhere.newPerson().email)) };
    expect((await app.ask("POST", "/v1/hosted-login/token", { body })).statusCode).toBe(415);
    const fields = { ...body, grant_type: "password" };
    expect((await app.ask("POST", "/v1/hosted-login/token", { fields })).statusCode).toBe(422);
  });

  test("also ends at the provider on logout", async () => {
    const idToken = (await logIn(elsewhere.newPerson().email)).json().id_token;
    const left = await app.ask("POST", "/v1/hosted-login/leave", { body: { idToken } });
    const url = new URL(left.json().url);
    expect(url.pathname).toBe("/session/end");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      id_token_hint: idToken,
      post_logout_redirect_uri: `${origin}/`,
    });
    expect((await fetch(url)).status).toBe(200);
  });

  test("is rate limited by address", async () => {
    const ip = randomAddress();
    const begin = () => app.ask("POST", "/v1/hosted-login", { body: {}, ip });
    await Promise.all(Array.from({ length: 100 }, begin));
    expect((await begin()).statusCode).toBe(429);
    const end = () => finish({ code: "x", state: "x", proof: "x".repeat(43) }, ip);
    expect(new Set((await Promise.all(Array.from({ length: 100 }, end))).map(({ statusCode }) => statusCode))).toEqual(
      new Set([401]),
    );
    expect((await end()).statusCode).toBe(429);
  });

  test("expires after ten minutes and is then deleted", async () => {
    const returned = await comeBack(elsewhere.newPerson().email);
    const waiting = () =>
      app.database.withTransaction({ system: "test" }, (tx) =>
        tx
          .selectFrom("hosted_logins")
          .select("state_hash")
          .where("expires_at", "<", new Date().toISOString())
          .execute(),
      );
    await app.database.withTransaction({ system: "test" }, (tx) =>
      tx
        .updateTable("hosted_logins")
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .execute(),
    );
    expect((await finish(returned)).statusCode).toBe(401);
    expect(await waiting()).not.toEqual([]);
    await pruneHostedLoginsJob(app.database).run({}, { enqueue: async () => undefined });
    expect(await waiting()).toEqual([]);
  });
});

describe("an account that exists already", () => {
  test("is taken over by the person who proves its address: its password and sessions end", async () => {
    const squatter = await registerPerson(app);
    const owner = elsewhere.newPerson({ email: squatter.email });
    const signedIn = await logIn(owner.email);
    expect((await me(signedIn.json().access_token)).json().id).toBe(squatter.id);
    expect((await me(squatter.token)).statusCode).toBe(401);
    expect((await app.ask("POST", "/v1/login", { body: squatter })).statusCode).toBe(401);
    // The next login leaves the owner's own sessions alone.
    await logIn(owner.email);
    expect((await me(signedIn.json().access_token)).statusCode).toBe(200);
  });

  test("isn't touched if the provider hasn't verified the address", async () => {
    const person = await registerPerson(app);
    const stranger = elsewhere.newPerson({ email: person.email, emailVerified: false });
    const refused = await logIn(stranger.email);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ type: "/api/docs#hosted-login-refused" });
    expect((await me(person.token)).statusCode).toBe(200);
    expect((await signIn(app, person)).token).toBeDefined();
  });

  test("stays with its owner if the provider reassigns the address", async () => {
    const leaver = elsewhere.newPerson();
    const { access_token: token } = (await logIn(leaver.email)).json();
    elsewhere.people.set(leaver.email, { ...leaver, subject: randomUUID() });
    const refused = await logIn(leaver.email);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().detail).toContain("another account on this server");
    expect((await me(token)).statusCode).toBe(200);
  });

  test("two first logins at once create one user", async () => {
    const { email } = elsewhere.newPerson();
    const returned = [await comeBack(email), await comeBack(email)];
    const answers = await Promise.all(returned.map((one) => finish(one)));
    const ids = await Promise.all(answers.map(async (one) => (await me(one.json().access_token)).json().id));
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
  });

  test("refuses a disabled user, linked or not", async () => {
    const known = elsewhere.newPerson();
    const { id } = (await me((await logIn(known.email)).json().access_token)).json();
    const withPassword = await registerPerson(app);
    elsewhere.newPerson({ email: withPassword.email });
    await app.database.withTransaction({ system: "test" }, (tx) =>
      tx
        .updateTable("users")
        .set({ disabled_at: new Date().toISOString() })
        .where("id", "in", [id, withPassword.id])
        .execute(),
    );
    for (const { email } of [known, withPassword]) {
      const refused = await logIn(email);
      expect(refused.json()).toMatchObject({ status: 403, detail: expect.stringContaining("closed") });
    }
  });
});

describe("a provider that doesn't say whether an address is verified", () => {
  const silent = (more: Partial<ReturnType<typeof elsewhere.newPerson>> = {}) =>
    elsewhere.newPerson({ emailVerified: null, ...more });

  test("signs nobody in by address alone, and says why", async () => {
    const refused = await logIn(silent().email);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().detail).toContain("didn’t confirm that your email address is verified");
  });

  test("is trusted if this server's settings trust its addresses, unless it says that one isn't verified", async () => {
    const enter = async (email: string) => finish(await comeBack(email, undefined, trusting), undefined, trusting);
    const entered = await enter(silent().email);
    expect(entered.statusCode).toBe(200);
    const existing = await registerPerson(app);
    const joined = await enter(silent({ email: existing.email }).email);
    expect((await me(joined.json().access_token, trusting)).json().id).toBe(existing.id);
    expect((await enter(elsewhere.newPerson({ emailVerified: false }).email)).statusCode).toBe(403);
  });
});

test("the login options say whether registration is by invitation only", async () => {
  const { registration } = (await invited.ask("GET", "/v1/login-options")).json();
  expect(registration).toEqual({ domains: [] });
});

describe("without a hosted login", () => {
  test("the options say so, and neither endpoint works", async () => {
    expect((await without.ask("GET", "/v1/login-options")).json()).toEqual({
      hostedLogin: null,
      registration: "open",
    });
    expect((await without.ask("POST", "/v1/hosted-login", { body: {} })).statusCode).toBe(404);
    const fields = { grant_type: "authorization_code", code: "x", state: "x", proof: "x".repeat(43) };
    expect((await without.ask("POST", "/v1/hosted-login/token", { fields })).statusCode).toBe(404);
    const left = await without.ask("POST", "/v1/hosted-login/leave", { body: { idToken: "x" } });
    expect(left.json()).toEqual({ url: null });
    expect((await app.ask("GET", "/v1/login-options")).json()).toMatchObject({ hostedLogin: { name: "Harbour ID" } });
  });

  test("or with one that is down, people get a message and can still log out", async () => {
    const refused = await unreachable.ask("POST", "/v1/hosted-login", { body: {} });
    expect(refused.json()).toMatchObject({ status: 502, type: "/api/docs#hosted-login-unreachable" });
    const left = await unreachable.ask("POST", "/v1/hosted-login/leave", { body: { idToken: "x" } });
    expect(left.json()).toEqual({ url: null });
  });
});
