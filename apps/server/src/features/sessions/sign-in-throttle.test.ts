import { expect, test } from "vitest";
import { randomAddress, registerPerson, signIn, testApp } from "../../testing/test-app.ts";
import { countAttempts, keyOf } from "../attempts/count-attempts.ts";
import { countSignInAttempt } from "./sign-in-throttle.ts";

const app = testApp();

test("ten wrong passwords from one address are followed by 429, for known and unknown users alike", async () => {
  const person = await registerPerson(app);
  for (const email of [person.email, `${crypto.randomUUID()}@example.com`]) {
    const ip = randomAddress();
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => app.ask("POST", "/v1/login", { ip, body: { email, password: "guess" } })),
    );
    expect(tries.filter((answer) => answer.statusCode === 401)).toHaveLength(10);
    const refused = tries.find((answer) => answer.statusCode === 429);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
  }
});

test("a stranger's guesses from one address lock nobody out anywhere", async () => {
  const person = await registerPerson(app);
  const stranger = randomAddress();
  const guess = () => app.ask("POST", "/v1/login", { ip: stranger, body: { email: person.email, password: "x" } });
  for (let batch = 0; batch < 11; batch++) await Promise.all(Array.from({ length: 10 }, guess));
  expect((await guess()).statusCode).toBe(429);
  for (let elsewhere = 0; elsewhere < 3; elsewhere++)
    expect((await app.ask("POST", "/v1/login", { body: person })).statusCode).toBe(200);
  // Refused guesses don't count against the account: another unknown address still has more than the few attempts
  // allowed under attack.
  const elsewhere = { ip: randomAddress(), body: { ...person, password: "x" } };
  for (let guesses = 0; guesses < 5; guesses++)
    expect((await app.ask("POST", "/v1/login", elsewhere)).statusCode).toBe(401);
});

test("guesses at many accounts from one address are refused after 200", async () => {
  const ip = randomAddress();
  const guess = () =>
    countSignInAttempt(app.database.withTransaction, { email: `${crypto.randomUUID()}@example.com`, ip });
  for (let guesses = 0; guesses < 200; guesses++) await guess();
  await expect(guess()).rejects.toMatchObject({ code: "too-many-attempts" });
});

test("refused attempts leave no rows, whichever addresses they name", async () => {
  const ip = randomAddress();
  const emails = Array.from({ length: 250 }, () => `${crypto.randomUUID()}@example.com`);
  const guess = (email: string) => countSignInAttempt(app.database.withTransaction, { email, ip });
  const guesses = await Promise.allSettled(emails.map(guess));
  expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(200);
  expect(await countRows(emails.map((email) => keyOf(`pair:${email}:${ip}`)))).toBe(200);
  expect(await countRows(emails.map((email) => keyOf(`account:${email}`)))).toBe(200);

  const ask = (by: string) =>
    countAttempts(app.database.withTransaction, "forgot password", { by, most: 5 }, { by: ip, most: 50 });
  const asked = await Promise.allSettled(emails.slice(0, 60).map((email) => ask(`${email}:${ip}`)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(50);
  expect(await countRows(emails.map((email) => keyOf(`forgot password:${email}:${ip}`)))).toBe(50);
});

async function countRows(keys: Buffer[]): Promise<number> {
  const rows = await app.database.withTransaction({ system: "count the rows of a test" }, (tx) =>
    tx.selectFrom("sign_in_attempts").select("key").where("key", "in", keys).execute(),
  );
  return rows.length;
}

test("refused attempts at one account don't affect others behind the same address", async () => {
  const [person, colleague] = [await registerPerson(app), await registerPerson(app)];
  const office = randomAddress();
  const body = { email: person.email, password: "x" };
  for (let batch = 0; batch < 21; batch++)
    await Promise.all(Array.from({ length: 10 }, () => app.ask("POST", "/v1/login", { ip: office, body })));
  expect((await app.ask("POST", "/v1/login", { ip: office, body: colleague })).statusCode).toBe(200);
});

test("a stranger's guesses from many addresses slow down every unknown address, and lock nobody out", async () => {
  const person = await registerPerson(app);
  const home = randomAddress();
  await app.ask("POST", "/v1/login", { ip: home, body: person });
  for (const email of [person.email, `${crypto.randomUUID()}@example.com`]) {
    const guess = (ip = randomAddress()) => app.ask("POST", "/v1/login", { ip, body: { email, password: "x" } });
    for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 10 }, () => guess()));
    const another = randomAddress();
    const statuses = [await guess(another), await guess(another), await guess(another)].map((one) => one.statusCode);
    expect(statuses).toEqual([401, 401, 429]);
  }
  expect((await app.ask("POST", "/v1/login", { body: person })).statusCode).toBe(200);
  expect((await app.ask("POST", "/v1/login", { ip: home, body: person })).statusCode).toBe(200);
});

test("a user's sign-in from a known address doesn't give a stranger more guesses", async () => {
  const person = await registerPerson(app);
  const home = randomAddress();
  await app.ask("POST", "/v1/login", { ip: home, body: person });
  const guess = (ip = randomAddress()) => app.ask("POST", "/v1/login", { ip, body: { ...person, password: "x" } });
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 10 }, () => guess()));
  for (let again = 0; again < 5; again++) await app.ask("POST", "/v1/login", { ip: home, body: person });
  const another = randomAddress();
  await Promise.all([guess(another), guess(another)]);
  expect((await guess(another)).statusCode).toBe(429);
});

test("guesses at the current password in a stolen session don't keep its user from changing it", async () => {
  const person = await registerPerson(app);
  const thief = await signIn(app, person);
  const put = (token: string, currentPassword: string) =>
    app.ask("PUT", `/v1/users/${person.id}`, { token, body: { password: "a new phrase", currentPassword } });
  for (let guess = 0; guess < 20; guess++) await put(thief.token, "guess");
  expect((await put(thief.token, person.password)).statusCode).toBe(429);
  expect((await put(person.token, person.password)).statusCode).toBe(200);
});

test("successful sign-ins don't use up the attempts of a shared address", async () => {
  const ip = randomAddress();
  const { withTransaction } = app.database;
  for (let person = 0; person < 205; person++) {
    const forgive = await countSignInAttempt(withTransaction, { email: `${crypto.randomUUID()}@example.com`, ip });
    await withTransaction({ system: "a person has signed in" }, forgive);
  }
  expect((await app.ask("POST", "/v1/login", { ip, body: await registerPerson(app) })).statusCode).toBe(200);
});
