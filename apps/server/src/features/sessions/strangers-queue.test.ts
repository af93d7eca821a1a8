import { expect, test } from "vitest";
import { auditing } from "../../db/audit-context.ts";
import { cheaply } from "../../testing/hash-cheaply.ts";
import { randomAddress, registerPerson, testApp } from "../../testing/test-app.ts";
import { ownerPool } from "../../testing/test-database.ts";
import { hashAt, hashPassword, owaspLeast } from "./hash-password.ts";

const app = testApp();
const owner = ownerPool();

interface Asking {
  email: string;
  password: string;
  refreshToken: string;
}
const refresh = (ip: string, { refreshToken }: Asking) =>
  app.ask("POST", "/v1/token/refresh", { ip, body: { refreshToken } });
const logout = (ip: string, { refreshToken }: Asking) => app.ask("POST", "/v1/logout", { ip, body: { refreshToken } });
const login = (ip: string, { email, password }: Asking) =>
  app.ask("POST", "/v1/login", { ip, body: { email, password } });

test.each([
  { what: "refresh", ask: refresh },
  { what: "log out", ask: logout },
  { what: "log in", ask: login },
])("a stranger's stuck requests don't keep others from being able to $what", async ({ ask }) => {
  const [stranger, person] = [await registerPerson(app), await registerPerson(app)];
  const locking = await owner.connect();
  const ip = randomAddress();
  try {
    await locking.query("begin; select set_config('app.scope', 'system', true)");
    await locking.query("select 1 from users where id = $1 for update", [stranger.id]);
    await locking.query("select 1 from sessions where user_id = $1 for update", [stranger.id]);
    // As many as one queue has turns, brisk and long.
    const stuck = Array.from({ length: 8 }, () => ask(ip, stranger));
    await expect
      .poll(async () => (await owner.query("select 1 from pg_locks where not granted")).rowCount)
      .toBeGreaterThanOrEqual(8);
    let finished = 0;
    for (const each of stuck) void each.then(() => (finished += 1));
    expect((await ask(randomAddress(), person)).statusCode).toBeLessThan(300);
    expect(finished).toBe(0);
    await locking.query("rollback");
    await Promise.all(stuck);
  } finally {
    locking.release();
  }
});

test("logging out with unknown tokens is refused after 200 from one network", async () => {
  const ip = randomAddress();
  const guess = () =>
    logout(ip, { email: "", password: "", refreshToken: `${crypto.randomUUID()}${crypto.randomUUID()}` });
  for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: 10 }, guess));
  expect((await guess()).statusCode).toBe(429);
  const person = await registerPerson(app);
  expect((await logout(ip, person)).statusCode).toBe(204);
});

test("a flood of passwords from one network is refused, and others sign in", async () => {
  const person = await registerPerson(app);
  hashAt({ ...owaspLeast, passes: 1 });
  const flooding = new AbortController();
  const hashing = Array.from({ length: 600 }, () => hashUntil(flooding.signal, "2001:db8:7:1::1"));
  try {
    const refused = await login("2001:db8:7:2::1", person);
    expect([refused.statusCode, refused.headers["retry-after"], refused.json().detail]).toEqual([
      503,
      "5",
      "Leadline is checking too many passwords right now. Try again in a moment.",
    ]);
    expect((await login(randomAddress(), person)).statusCode).toBe(200);
  } finally {
    flooding.abort();
    hashAt(cheaply);
    await Promise.all(hashing);
  }
});

/** Also ends once one is refused. */
async function hashUntil(signal: AbortSignal, address: string): Promise<void> {
  const context = { action: "test", userId: null, organisationId: null, userAgent: "", requestId: "", address };
  await auditing(context, async () => {
    while (!signal.aborted) await hashPassword("the same");
  }).catch(() => {});
}
