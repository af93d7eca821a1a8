import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { asksProcess } from "../../testing/asks-process.ts";
import { asSuperuser, ownDatabase } from "../../testing/own-database.ts";
import { startProcess } from "../../testing/start-process.ts";

/** A server without any registered account. */
async function freshServer(REGISTRATION: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-fresh-"));
  const own = await ownDatabase();
  const leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: own.url, REGISTRATION, LOG_LEVEL: "warn" });
  onTestFinished(async () => {
    await leadline.stop("SIGTERM");
    await own.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const mails = () =>
    readdirSync(join(dataDir, "mail")).map((name) => readFileSync(join(dataDir, "mail", name), "utf8"));
  const hashes = async () => (await asSuperuser(["select hash from passwords"], own.name)).map(({ hash }) => hash);
  return { ask: asksProcess(() => leadline.origin).ask, log: () => leadline.log(), mails, hashes };
}

/** Waits for this path in the text, and returns the token after it. */
const tokenIn = (read: () => string, path: string): Promise<string> =>
  vi.waitFor(
    () => {
      const token = new RegExp(`${path}#([\\w-]+)`).exec(read())?.[1];
      if (token === undefined) throw new Error(`no link to ${path} in ${read()}`);
      return token;
    },
    { interval: 100 },
  );

const person = (email: string) => ({ firstName: "Robin", lastName: "Tester", email, password: "typed by anybody" });
const { email, password } = person("robin@example.com");

test("with invitation only, the link in a new server's log creates the first account, and no second", async () => {
  const { ask, log, hashes } = await freshServer("invite-only");
  const register = (to: string, invitation?: string) =>
    ask("POST", "/v1/register", { body: { ...person(to), ...(invitation && { invitation }) } });
  expect((await register(email)).status).toBe(403);
  const link = await tokenIn(log, "/register");
  expect((await register(email, "guessed")).status).toBe(403);
  const both = await Promise.all([register(email, link), register("second@example.com", link)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 403]);
  expect((await register("third@example.com", link)).status).toBe(403);
  // Tests hash with cheaper parameters; a server never does.
  expect(await hashes()).toEqual([expect.stringContaining("$argon2id$v=19$m=19456,t=2,p=1$")]);
});

test("with domains, nobody can log in with an address until its mailed link has set a password", async () => {
  const { ask, mails } = await freshServer("example.com");
  const logIn = (typed: string) => ask("POST", "/v1/login", { body: { email, password: typed } });
  const registered = await ask("POST", "/v1/register", { body: person(email) });
  expect(registered).toMatchObject({ status: 201, json: { confirmationMailed: true } });
  expect((await logIn(password)).status).toBe(401);
  const token = await tokenIn(
    () =>
      mails()
        .join("\n")
        .replaceAll(/=\r?\n/g, ""),
    "/reset-password",
  );
  const own = "chosen by its owner";
  expect((await ask("POST", "/v1/password/reset", { body: { token, password: own } })).status).toBeLessThan(300);
  expect((await logIn(own)).status).toBe(200);
});
