import { randomBytes, randomUUID } from "node:crypto";
import { createSigner } from "fast-jwt";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAuthenticate } from "./authenticate.ts";

const key = randomBytes(32);
const accessTokens = createAccessTokens(() => key);
afterEach(() => void vi.useRealTimers());

const seconds = () => Math.floor(Date.now() / 1000);
const person = { userId: randomUUID(), sessionId: randomUUID() };

/** Valid claims; each test below changes one and signs with the right key. */
const goodClaims = () => ({
  sub: person.userId,
  sid: person.sessionId,
  iss: "leadline",
  aud: "leadline-api",
  iat: seconds(),
  exp: seconds() + 60,
});
type Claims = ReturnType<typeof goodClaims>;
const sign = (claims: object, algorithm: "HS256" | "HS384" | "HS512" = "HS256") =>
  createSigner({ key, algorithm })({ ...claims });
const signWith = (change: object) => sign({ ...goodClaims(), ...change });

describe("an access token", () => {
  test("with all claims correct is accepted, so that a refusal below is due to the one that is wrong", () => {
    expect(accessTokens.read(sign(goodClaims()))).toEqual(person);
    expect(accessTokens.read(accessTokens.sign(person))).toEqual(person);
  });

  test("is refused once it has expired", () => {
    expect(accessTokens.read(signWith({ iat: seconds() - 120, exp: seconds() - 1 }))).toBeNull();
  });

  test("is refused after it expires, even though it was accepted before", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = accessTokens.sign(person);
    vi.advanceTimersByTime(14 * 60_000);
    expect(accessTokens.read(token)).toEqual(person);
    vi.advanceTimersByTime(61_000);
    expect(accessTokens.read(token)).toBeNull();
  });

  test("is refused before it is valid", () => {
    expect(accessTokens.read(signWith({ nbf: seconds() + 60 }))).toBeNull();
  });

  test.each(["somebody-else", "leadline-api.example", "", ["somebody-else"]])("for audience %j is refused", (aud) => {
    expect(accessTokens.read(signWith({ aud }))).toBeNull();
  });

  test.each(["somebody-else", "leadline.example", ""])("from issuer %j is refused", (iss) => {
    expect(accessTokens.read(signWith({ iss }))).toBeNull();
  });

  test.each(Object.keys(goodClaims()) as (keyof Claims)[])("without the claim %s is refused", (claim) => {
    const { [claim]: _, ...rest } = goodClaims();
    // The signer would add the time of issue by itself.
    const token = createSigner({ key, algorithm: "HS256", noTimestamp: claim === "iat" })(rest);
    expect(accessTokens.read(token)).toBeNull();
  });

  test.each(["sub", "sid"])("whose %s isn't an identifier is refused", (claim) => {
    expect(accessTokens.read(signWith({ [claim]: "1" }))).toBeNull();
  });

  test.each(["HS384", "HS512"] as const)("signed with %s instead is refused", (algorithm) => {
    expect(accessTokens.read(sign(goodClaims(), algorithm))).toBeNull();
  });

  test("without a signature is refused", () => {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    expect(accessTokens.read(`${encode({ alg: "none", typ: "JWT" })}.${encode(goodClaims())}.`)).toBeNull();
  });

  test("signed with another key is refused", () => {
    const others = createAccessTokens(() => randomBytes(32));
    expect(accessTokens.read(others.sign(person))).toBeNull();
  });

  test("is signed with a key of its own, different from the refresh tokens'", () => {
    const purposes: string[] = [];
    createAccessTokens((purpose) => {
      purposes.push(purpose);
      return key;
    });
    expect(purposes).toEqual(["access tokens"]);
  });
});

describe("the session that an access token names", () => {
  const app = testApp();
  const authenticate = (claims: { userId: string; sessionId: string }) =>
    createAuthenticate({ database: app.database, accessTokens })(accessTokens.sign(claims));
  const signedIn = async () => {
    const one = await registerPerson(app);
    const [session] = (await app.ask("GET", "/v1/sessions", { token: one.token })).json();
    return { ...one, sessionId: String(session.id) };
  };

  test("must belong to the user that the token names", async () => {
    const [one, other] = await Promise.all([signedIn(), signedIn()]);
    const identity = { userId: one.id, sessionId: one.sessionId, organisation: null };
    expect(await authenticate({ userId: one.id, sessionId: one.sessionId })).toEqual(identity);
    expect(await authenticate({ userId: other.id, sessionId: one.sessionId })).toBeNull();
    expect(await authenticate({ userId: one.id, sessionId: randomUUID() })).toBeNull();
  });

  test.each([
    ["has ended", "sessions", { ended_at: "2020-01-01" }],
    ["has expired", "sessions", { expires_at: "2020-01-01" }],
    ["belongs to a disabled person", "users", { disabled_at: "2020-01-01" }],
  ] as const)("is refused if it %s", async (_, table, change) => {
    const one = await signedIn();
    await makeOrganisation(app, one);
    expect(await authenticate({ userId: one.id, sessionId: one.sessionId })).toMatchObject({ userId: one.id });
    const id = table === "users" ? one.id : one.sessionId;
    await app.database.withTransaction({ userId: one.id }, (tx) =>
      tx.updateTable(table).set(change).where("id", "=", id).execute(),
    );
    expect(await authenticate({ userId: one.id, sessionId: one.sessionId })).toBeNull();
  });
});
