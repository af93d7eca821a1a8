import { randomBytes, randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import * as contract from "@leadline/contract/sessions";
import pino from "pino";
import { expect, test } from "vitest";
import { createHttpServer } from "../../http/create-http-server.ts";
import { registerPerson, testApp } from "../../testing/test-app.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createRefreshTokenChain } from "./refresh-token-chain.ts";
import { sessionRoutes } from "./sessions.routes.ts";

const app = testApp();
const endpoints = { login: contract.login, refreshTokens: contract.refreshTokens };

/** Like testApp, with its logged warnings. */
async function serve() {
  const written: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void written.push(line) });
  const key = randomBytes(32);
  const deriveKey = () => key;
  const keyed = { accessTokens: createAccessTokens(deriveKey), refreshTokens: createRefreshTokenChain(deriveKey) };
  const routes = sessionRoutes({ database: app.database, ...keyed });
  const http = await createHttpServer({
    routes: routes.filter(({ endpoint }) => Object.values<Endpoint>(endpoints).includes(endpoint)),
    endpoints,
    authenticate: async () => null,
    log,
  });
  return { http, written };
}

test("a failed sign-in is logged with its account or, if that doesn't exist, with the entered address", async () => {
  const { http, written } = await serve();
  const logIn = (email: string) =>
    http.inject({ method: "POST", url: "/api/v1/login", payload: { email, password: "not the password" } });
  const person = await registerPerson(app);
  const unknown = `${randomUUID()}@example.com`;
  expect((await logIn(person.email.toUpperCase())).statusCode).toBe(401);
  expect((await logIn(unknown)).statusCode).toBe(401);
  // Not an email address, so no account: it may be a password typed into the wrong field, which must not be logged.
  expect((await logIn("correct horse\nbattery")).statusCode).toBe(422);
  expect((await logIn(`${"x".repeat(300)}@example.com`)).statusCode).toBe(422);
  const lines = written.map((line) => JSON.parse(line));
  expect(lines.filter(({ security }) => security === "sign-in-failed")).toMatchObject([
    { userId: person.id, email: person.email.toLowerCase(), ip: "127.0.0.1" },
    { userId: null, email: unknown },
  ]);
  expect(written.join()).not.toContain("horse");
});

test("a refresh token that was used twice is logged with its account and its session", async () => {
  const { http, written } = await serve();
  const person = await registerPerson(app);
  const { email, password } = person;
  const signedIn = (await http.inject({ method: "POST", url: "/api/v1/login", payload: { email, password } })).json();
  const refresh = (refreshToken: string) =>
    http.inject({ method: "POST", url: "/api/v1/token/refresh", payload: { refreshToken } });
  const { refresh_token: child } = (await refresh(signedIn.refresh_token)).json();
  expect((await refresh(child)).statusCode).toBe(200);
  expect((await refresh(signedIn.refresh_token)).statusCode).toBe(401);
  const [reused] = written
    .map((line) => JSON.parse(line))
    .filter(({ security }) => security === "refresh-token-reused");
  expect(reused).toMatchObject({ userId: person.id, sessionId: expect.stringMatching(/^[\da-f-]{36}$/) });
});
