import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cheaply } from "../../testing/hash-cheaply.ts";
import { makeOrganisation, registerPerson, signIn, testApp } from "../../testing/test-app.ts";
import { hashAt, owaspLeast } from "./hash-password.ts";

const app = testApp();

const refresh = (refreshToken: string) => app.ask("POST", "/v1/token/refresh", { body: { refreshToken } });
const me = (token: string) => app.ask("GET", "/v1/users/me", { token });

describe("registering", () => {
  test("refuses a short or common password with the form's message", async () => {
    for (const password of ["Ab3$xyz", "password", "PASSWORD1", "1234567890"]) {
      const body = { firstName: "Robin", lastName: "Tester", email: "new@example.com", password };
      const answer = await app.ask("POST", "/v1/register", { body });
      expect({ password, status: answer.statusCode }).toEqual({ password, status: 422 });
      expect(answer.json().errors).toEqual([{ field: "password", message: "A strong password is required" }]);
    }
  });

  test("refuses a password that is too long with the form's message", async () => {
    const body = { firstName: "Robin", lastName: "Tester", email: "new@example.com", password: "long ".repeat(52) };
    const answer = await app.ask("POST", "/v1/register", { body });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual([{ field: "password", message: "A strong password is required" }]);
  });

  test("accepts 8 to 256 characters unchanged, including spaces and emoji", async () => {
    const email = `long-${crypto.randomUUID()}@example.com`;
    const password = `🔑 ${"long phrase ".repeat(20)}`.slice(0, 250);
    const body = { firstName: "Robin", lastName: "Tester", email, password };
    expect((await app.ask("POST", "/v1/register", { body })).statusCode).toBe(201);
    expect((await app.ask("POST", "/v1/login", { body: { email, password } })).statusCode).toBe(200);
    const cut = await app.ask("POST", "/v1/login", { body: { email, password: password.slice(0, 72) } });
    expect(cut.statusCode).toBe(401);
  });

  test("responds email-taken to the second of two, whatever the case, even at once", async () => {
    const email = `Twice-${crypto.randomUUID()}@Example.com`;
    const register = (as: string) =>
      app.ask("POST", "/v1/register", {
        body: { firstName: "Robin", lastName: "Tester", email: as, password: "correct horse battery" },
      });
    const answers = await Promise.all([register(email), register(email.toLowerCase())]);
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([201, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.json().type).toBe("/api/docs#email-taken");
  });
});

describe("signing in", () => {
  test("an unknown email and a wrong password get the same response", async () => {
    const person = await registerPerson(app);
    const wrong = await app.ask("POST", "/v1/login", { body: { email: person.email, password: "not that one" } });
    const unknown = await app.ask("POST", "/v1/login", { body: { email: "no@example.com", password: "not that one" } });
    expect(wrong.statusCode).toBe(401);
    expect(unknown.json()).toEqual(wrong.json());
  });

  test("an unknown email costs as much work as a wrong password", async ({ onTestFinished }) => {
    hashAt(owaspLeast);
    onTestFinished(() => hashAt(cheaply));
    const person = await registerPerson(app);
    // CPU time, not elapsed time, because other suites run in parallel.
    const work = async (email: string) => {
      const before = process.cpuUsage();
      await app.ask("POST", "/v1/login", { body: { email, password: "not that one" } });
      return process.cpuUsage(before).user;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 5; round++) {
      known.push(await work(person.email));
      unknown.push(await work(`${crypto.randomUUID()}@example.com`));
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) * 0.5);
  });

  test("a disabled person can't sign in, refresh or continue", async () => {
    const person = await registerPerson(app);
    await app.database.withTransaction({ userId: person.id }, (tx) =>
      tx.updateTable("users").set({ disabled_at: new Date().toISOString() }).where("id", "=", person.id).execute(),
    );
    expect((await me(person.token)).statusCode).toBe(401);
    expect((await refresh(person.refreshToken)).statusCode).toBe(401);
    expect((await app.ask("POST", "/v1/login", { body: person })).statusCode).toBe(401);
  });
});

describe("tokens", () => {
  test("a refresh token isn't accepted as a bearer token, and an access token can't refresh", async () => {
    const person = await registerPerson(app);
    expect((await me(person.refreshToken)).statusCode).toBe(401);
    expect((await refresh(person.token)).statusCode).toBe(401);
    expect((await me(person.token)).statusCode).toBe(200);
  });

  test("tokens without a signature, with another algorithm, or modified are refused", async () => {
    const { token } = await registerPerson(app);
    const [, payload = "", signature = ""] = token.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const none = `${encode({ alg: "none", typ: "JWT" })}.${payload}.`;
    const guessed = `${encode({ alg: "HS256", typ: "JWT" })}.${payload}`;
    const forged = `${guessed}.${createHmac("sha256", "guess").update(guessed).digest("base64url")}`;
    const relabelled = `${encode({ alg: "HS512", typ: "JWT" })}.${payload}.${signature}`;
    for (const bad of [none, forged, relabelled]) expect((await me(bad)).statusCode).toBe(401);
  });

  test("concurrent requests are attributed to the right people, and one with an ended session to nobody", async () => {
    const [robin, sam, gone] = await Promise.all([registerPerson(app), registerPerson(app), registerPerson(app)]);
    await app.ask("POST", "/v1/logout", { body: { refreshToken: gone.refreshToken } });
    const asking = Array.from({ length: 30 }, (_, turn) => [robin, sam, gone][turn % 3] ?? robin);
    const answers = await Promise.all(asking.map(({ token }) => me(token)));
    expect(answers.map((answer) => (answer.statusCode === 200 ? answer.json().id : null))).toEqual(
      asking.map((person) => (person === gone ? null : person.id)),
    );
  });

  test("three tabs that refresh at once get the same child, and it works", async () => {
    const person = await registerPerson(app);
    const answers = await Promise.all([1, 2, 3].map(() => refresh(person.refreshToken)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    const children = new Set(answers.map((answer) => answer.json().refresh_token));
    expect(children.size).toBe(1);
    expect((await refresh([...children][0] ?? "")).statusCode).toBe(200);
    expect((await me(answers[2]?.json().access_token)).statusCode).toBe(200);
  });

  test("a grandparent used again ends the session", async () => {
    const person = await registerPerson(app);
    const child = (await refresh(person.refreshToken)).json();
    const grandchild = (await refresh(child.refresh_token)).json();
    expect((await refresh(person.refreshToken)).statusCode).toBe(401);
    expect((await refresh(grandchild.refresh_token)).statusCode).toBe(401);
    expect((await me(grandchild.access_token)).statusCode).toBe(401);
  });

  test("a parent used again after 10 s ends the session", async () => {
    const person = await registerPerson(app);
    const child = (await refresh(person.refreshToken)).json();
    await app.database.withTransaction({ system: "let 11 seconds pass" }, (tx) =>
      tx
        .updateTable("refresh_tokens")
        .set({ used_at: new Date(Date.now() - 11_000).toISOString() })
        .where("user_id", "=", person.id)
        .where("used_at", "is not", null)
        .execute(),
    );
    expect((await refresh(person.refreshToken)).statusCode).toBe(401);
    expect((await me(child.access_token)).statusCode).toBe(401);
  });

  test("idle and absolute expiry end a session by the database's clock", async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const idle = await registerPerson(app);
    await app.database.withTransaction({ userId: idle.id }, (tx) =>
      tx.updateTable("refresh_tokens").set({ expires_at: past }).where("user_id", "=", idle.id).execute(),
    );
    expect((await refresh(idle.refreshToken)).statusCode).toBe(401);
    const old = await registerPerson(app);
    await app.database.withTransaction({ userId: old.id }, (tx) =>
      tx.updateTable("sessions").set({ expires_at: past }).where("user_id", "=", old.id).execute(),
    );
    expect((await refresh(old.refreshToken)).statusCode).toBe(401);
    expect((await me(old.token)).statusCode).toBe(401);
  });

  test("no token is stored in plain text", async () => {
    const person = await registerPerson(app);
    const stored = await app.database.withTransaction({ userId: person.id }, (tx) =>
      tx.selectFrom("refresh_tokens").select("hash").where("user_id", "=", person.id).execute(),
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.hash).toHaveLength(32);
    expect(stored[0]?.hash.toString("base64url")).not.toBe(person.refreshToken);
  });
});

describe("sessions", () => {
  test("logging out ends the session on the server, and again does nothing", async () => {
    const person = await registerPerson(app);
    const logout = () => app.ask("POST", "/v1/logout", { body: { refreshToken: person.refreshToken } });
    expect((await logout()).statusCode).toBe(204);
    expect((await logout()).statusCode).toBe(204);
    expect((await me(person.token)).statusCode).toBe(401);
    expect((await refresh(person.refreshToken)).statusCode).toBe(401);
  });

  test("a person can list their sessions and end one, but nobody else's", async () => {
    const person = await registerPerson(app);
    const stranger = await registerPerson(app);
    const second = await signIn(app, person);
    const list = (await app.ask("GET", "/v1/sessions", { token: person.token })).json();
    expect(list).toHaveLength(2);
    const other = list.find((session: { current: boolean }) => !session.current);
    const end = (token: string) => app.ask("DELETE", `/v1/sessions/${other.id}`, { token });
    expect((await end(stranger.token)).statusCode).toBe(404);
    expect((await me(second.token)).statusCode).toBe(200);
    expect((await end(person.token)).statusCode).toBe(204);
    expect((await me(second.token)).statusCode).toBe(401);
  });

  test("a person can end all other sessions at once, and nobody else's", async () => {
    const person = await registerPerson(app);
    const stranger = await registerPerson(app);
    const others = [await signIn(app, person), await signIn(app, person)];
    expect((await app.ask("DELETE", "/v1/sessions", { token: person.token })).statusCode).toBe(204);
    for (const { token } of others) expect((await me(token)).statusCode).toBe(401);
    expect((await me(person.token)).statusCode).toBe(200);
    expect((await me(stranger.token)).statusCode).toBe(200);
    const left = (await app.ask("GET", "/v1/sessions", { token: person.token })).json();
    expect(left).toEqual([expect.objectContaining({ current: true })]);
  });

  test("a new password requires the current one, and ends the other sessions", async () => {
    const person = await registerPerson(app);
    const second = await signIn(app, person);
    const put = (body: object) => app.ask("PUT", `/v1/users/${person.id}`, { token: person.token, body });
    expect((await put({ password: "a new phrase" })).statusCode).toBe(422);
    expect((await put({ password: "a new phrase", currentPassword: "wrong" })).statusCode).toBe(401);
    expect((await put({ password: "a new phrase", currentPassword: person.password })).statusCode).toBe(200);
    expect((await me(second.token)).statusCode).toBe(401);
    expect((await me(person.token)).statusCode).toBe(200);
  });

  test("a new email requires the current password and must be free", async () => {
    const person = await registerPerson(app);
    const taken = await registerPerson(app);
    const put = (body: object) => app.ask("PUT", `/v1/users/${person.id}`, { token: person.token, body });
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await put({ email })).statusCode).toBe(422);
    expect((await put({ email: taken.email, currentPassword: person.password })).statusCode).toBe(409);
    expect((await put({ email, currentPassword: person.password })).json().email).toBe(email);
    expect((await put({ firstName: "Robyn", email })).json().firstName).toBe("Robyn");
  });
});

describe("organisations", () => {
  test("the person who creates one owns it and is active in it, and only they see it", async () => {
    const person = await registerPerson(app);
    const stranger = await registerPerson(app);
    const first = await makeOrganisation(app, person);
    const second = await makeOrganisation(app, person);
    const mine = (await me(person.token)).json();
    expect(mine.activeOrganisation).toMatchObject({ id: second.id, role: "owner", balance: 0 });
    const back = await app.ask("PUT", `/v1/users/set-organisation/${first.id}`, { token: person.token });
    expect(back.json().activeOrganisation.id).toBe(first.id);
    expect((await app.ask("GET", "/v1/organisations", { token: stranger.token })).json()).toEqual([]);
    const foreign = await app.ask("PUT", `/v1/users/set-organisation/${first.id}`, { token: stranger.token });
    expect(foreign.statusCode).toBe(404);
    expect((await app.ask("GET", `/v1/organisations/${first.id}`, { token: person.token })).json().name).toBe(
      first.name,
    );
    expect((await app.ask("GET", `/v1/organisations/${first.id}`, { token: stranger.token })).statusCode).toBe(404);
  });

  test("id, role, balance and organisation in a body have no effect", async () => {
    const person = await registerPerson(app);
    const body = { name: "Mass", id: person.id, balance: 5_000_000, role: "member", organisationId: person.id };
    const made = (await app.ask("POST", "/v1/organisations", { token: person.token, body })).json();
    expect(made).toMatchObject({ balance: 0, role: "owner", description: null });
    expect(made.id).not.toBe(person.id);
    const put = { id: crypto.randomUUID(), activeOrganisation: null, firstName: "Robyn" };
    const updated = (await app.ask("PUT", `/v1/users/${person.id}`, { token: person.token, body: put })).json();
    expect(updated).toMatchObject({ id: person.id, activeOrganisation: { id: made.id } });
  });
});
