import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { nameInSuite } from "../../../testing/test-mail.ts";
import { randomAddress, registerPerson, signIn, testApp } from "../../../testing/test-app.ts";

const app = testApp();

const forgot = (email: string, ip?: string) =>
  app.ask("POST", "/v1/password/forgot", { body: { email }, ...(ip !== undefined && { ip }) });
const reset = (token: string, password: string) => app.ask("POST", "/v1/password/reset", { body: { token, password } });
/** The results of the newest jobs that mail a link. */
const newestMailJobs = (count: number): Promise<string[]> =>
  app.database.withTransaction({}, async (tx) => {
    const { rows } = await sql<{ state: string }>`
      select state::text from pgboss.job where name = ${nameInSuite("mail-password-reset")}
      order by created_on desc limit ${count}`.execute(tx);
    return rows.map(({ state }) => state);
  });
const newPassword = () => `fathoms ${crypto.randomUUID()}`;

describe("a forgotten password", () => {
  test("is replaced through the mailed link, which ends every session and works once", async () => {
    const person = await registerPerson(app);
    const second = await signIn(app, person);
    expect((await forgot(person.email.toUpperCase())).statusCode).toBe(204);
    const mail = await app.mailTo(person.email);
    expect(mail.from).toBe("phone@example.com");
    expect(mail.text).toContain("Subject: Set a new Leadline password");
    expect(mail.text).toContain(`https://phone.example.com/reset-password#${mail.token}`);

    const password = newPassword();
    expect((await reset(mail.token, password)).statusCode).toBe(204);
    for (const { token, refreshToken } of [person, second]) {
      expect((await app.ask("GET", "/v1/users/me", { token })).statusCode).toBe(401);
      expect((await app.ask("POST", "/v1/token/refresh", { body: { refreshToken } })).statusCode).toBe(401);
    }
    const old = { email: person.email, password: person.password };
    expect((await app.ask("POST", "/v1/login", { body: old })).statusCode).toBe(401);
    expect((await app.ask("POST", "/v1/login", { body: { ...old, password } })).statusCode).toBe(200);

    const again = await reset(mail.token, newPassword());
    expect(again.statusCode).toBe(410);
    expect(again.json()).toMatchObject({ type: "/api/docs#link-invalid" });
  });

  test("a truncated link is reported as one that no longer works, not as a short token", async () => {
    const answer = await reset("garbage", newPassword());
    expect(answer.statusCode).toBe(410);
    expect(answer.json().type).toBe("/api/docs#link-invalid");
  });

  test("a common password is refused, and the link stays valid for a better one", async () => {
    const person = await registerPerson(app);
    await forgot(person.email);
    const { token } = await app.mailTo(person.email);
    const refused = await reset(token, "password1");
    expect(refused.json().errors).toEqual([{ field: "password", message: "A strong password is required" }]);
    expect((await reset(token, newPassword())).statusCode).toBe(204);
  });

  test("a link used twice at once sets one password", async () => {
    const person = await registerPerson(app);
    await forgot(person.email);
    const { token } = await app.mailTo(person.email);
    const answers = await Promise.all([1, 2, 3].map(() => reset(token, newPassword())));
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 410, 410]);
  });

  test("using one link invalidates the others, and all expire after an hour", async () => {
    const person = await registerPerson(app);
    await forgot(person.email);
    const first = await app.mailTo(person.email);
    await forgot(person.email);
    await expect.poll(async () => (await app.mailTo(person.email)).token).not.toBe(first.token);
    const second = await app.mailTo(person.email);
    expect((await reset(second.token, newPassword())).statusCode).toBe(204);
    expect((await reset(first.token, newPassword())).statusCode).toBe(410);

    const late = await registerPerson(app);
    await forgot(late.email);
    const { token } = await app.mailTo(late.email);
    await app.database.withTransaction({ userId: late.id }, (tx) =>
      tx
        .updateTable("password_resets")
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .where("user_id", "=", late.id)
        .execute(),
    );
    expect((await reset(token, newPassword())).statusCode).toBe(410);
  });

  test("a link no longer works once the password or the email has changed", async () => {
    for (const change of [{ password: newPassword() }, { email: `${crypto.randomUUID()}@example.com` }]) {
      const person = await registerPerson(app);
      await forgot(person.email);
      const { token } = await app.mailTo(person.email);
      const body = { ...change, currentPassword: person.password };
      const changed = await app.ask("PUT", `/v1/users/${person.id}`, { token: person.token, body });
      expect(changed.statusCode).toBe(200);
      expect((await reset(token, newPassword())).statusCode).toBe(410);
    }
  });

  test("checking whether a link still works doesn't use it up", async () => {
    const check = (token: string) => app.ask("POST", "/v1/password/reset-link", { body: { token } });
    const person = await registerPerson(app);
    await forgot(person.email);
    const { token } = await app.mailTo(person.email);
    expect([(await check(token)).statusCode, (await check(token)).statusCode]).toEqual([204, 204]);
    expect((await reset(token, newPassword())).statusCode).toBe(204);
    const refused = { status: 410, type: "/api/docs#link-invalid" };
    expect((await check(token)).json()).toMatchObject(refused);
    expect((await check("x".repeat(43))).json()).toMatchObject(refused);
  });

  test("the link is stored neither in the database nor in the queue", async () => {
    const person = await registerPerson(app);
    await forgot(person.email);
    const { token } = await app.mailTo(person.email);
    const rows = await app.database.withTransaction({ userId: person.id }, (tx) =>
      tx.selectFrom("password_resets").selectAll().where("user_id", "=", person.id).execute(),
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.token_hash.toString("base64url")).not.toBe(token);
  });

  test("an unknown and a disabled user's address get the same response after the same work, and no mail", async () => {
    const known = await registerPerson(app);
    const disabled = await registerPerson(app);
    await app.database.withTransaction({ userId: disabled.id }, (tx) =>
      tx.updateTable("users").set({ disabled_at: new Date().toISOString() }).where("id", "=", disabled.id).execute(),
    );
    const unknown = `${crypto.randomUUID()}@example.com`;
    const emails = [known.email, unknown, disabled.email];
    for (const email of emails) {
      const { statusCode, body } = await forgot(email);
      expect([statusCode, body]).toEqual([204, ""]);
    }
    // Only the job finds out whether the address has an account.
    await expect.poll(() => newestMailJobs(emails.length), { timeout: 30_000 }).toEqual(emails.map(() => "completed"));
    await app.mailTo(known.email);
    await expect(Promise.race([app.mailTo(unknown), app.mailTo(disabled.email), sleep(100, "none")])).resolves.toBe(
      "none",
    );
  });

  test("requests are throttled alike for known and unknown addresses", async () => {
    const person = await registerPerson(app);
    for (const email of [person.email, `${crypto.randomUUID()}@example.com`]) {
      const ip = randomAddress();
      const answers = await Promise.all(Array.from({ length: 8 }, () => forgot(email, ip)));
      expect(answers.filter((answer) => answer.statusCode === 204)).toHaveLength(5);
      const refused = answers.find((answer) => answer.statusCode === 429);
      expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  test("repeated requests for one person don't stop others behind the same address", async () => {
    const [email, colleague] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`];
    const office = randomAddress();
    for (let batch = 0; batch < 6; batch++) await Promise.all(Array.from({ length: 10 }, () => forgot(email, office)));
    expect((await forgot(colleague, office)).statusCode).toBe(204);
  });

  test("a user gets at most five mails an hour, however many requests are made", async () => {
    const person = await registerPerson(app);
    await Promise.all(Array.from({ length: 9 }, () => forgot(person.email)));
    await app.mailTo(person.email);
    await sleep(1_000);
    const rows = await app.database.withTransaction({ userId: person.id }, (tx) =>
      tx.selectFrom("password_resets").select("id").where("user_id", "=", person.id).execute(),
    );
    expect(rows.length).toBeLessThanOrEqual(5);
    expect(rows.length).toBeGreaterThan(0);
  });

  test("a guessed link gets the same error", async () => {
    const guessed = await reset("x".repeat(43), newPassword());
    expect(guessed.statusCode).toBe(410);
    expect(guessed.json().detail).toBe("This link has been used or is older than an hour. Ask for a new one.");
  });
});
