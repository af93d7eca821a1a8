import { describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";
import { listSignedInPeople } from "./list-signed-in-people.ts";

const app = testApp();

interface SignedIn extends TestPerson {
  sessionId: string;
}
async function signedIn(): Promise<SignedIn> {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  const [session] = (await app.ask("GET", "/v1/sessions", { token: person.token })).json();
  return { ...person, sessionId: String(session.id) };
}

const overWhere = [
  ["has ended", "sessions", { ended_at: "2020-01-01" }],
  ["has expired", "sessions", { expires_at: "2020-01-01" }],
  ["belongs to a disabled person", "users", { disabled_at: "2020-01-01" }],
] as const;

/** Everything that lasts as long as a session, each with its own query. */
const goesOn: [what: string, goes: (one: SignedIn) => Promise<boolean>][] = [
  ["a request", async ({ token }) => (await app.ask("GET", "/v1/users/me", { token })).statusCode === 200],
  [
    "a refresh token",
    async ({ refreshToken }) =>
      (await app.ask("POST", "/v1/token/refresh", { body: { refreshToken } })).statusCode === 200,
  ],
  [
    "a stream of live events",
    async ({ sessionId }) =>
      (
        await app.database.callFunction("live-sessions", "select session_id from live_sessions($1)", () => [
          [sessionId],
        ])
      ).length === 1,
  ],
  [
    "a call",
    async ({ id }) =>
      (
        await app.database.withTransaction({ system: "whose calls continue" }, (tx) => listSignedInPeople(tx, [id]))
      ).has(id),
  ],
];

describe.each(overWhere)("with a session that %s", (_, table, change) => {
  test.each(goesOn)("%s ends", async (_what, goes) => {
    expect(await goes(await signedIn())).toBe(true);
    const one = await signedIn();
    const id = table === "users" ? one.id : one.sessionId;
    await app.database.withTransaction({ userId: one.id }, (tx) =>
      tx.updateTable(table).set(change).where("id", "=", id).execute(),
    );
    expect(await goes(one)).toBe(false);
  });
});
