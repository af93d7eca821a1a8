import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSealer } from "./seal-secrets.ts";
import { readSecrets } from "./secrets.ts";
import { asksProcess } from "./testing/asks-process.ts";
import { asSuperuser, ownMigratedDatabase } from "./testing/own-database.ts";
import { type LeadlineProcess, startProcess } from "./testing/start-process.ts";

const newKey = () => randomBytes(32).toString("base64url");

test("a replaced SECRET_KEY stays valid while it is listed as a previous one, and then nothing depends on it", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-keys-"));
  const own = await ownMigratedDatabase();
  let leadline: LeadlineProcess | undefined;
  onTestFinished(async () => {
    await leadline?.stop("SIGTERM");
    await own.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start = async (keys: Record<string, string>) => {
    await leadline?.stop("SIGTERM");
    leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: own.url, LOG_LEVEL: "fatal", ...keys });
  };
  const { ask } = asksProcess(() => leadline?.origin ?? "");
  const person = { email: "robin@example.com", password: "correct horse battery" };
  const logIn = async () => (await ask("POST", "/v1/login", { body: person })).json;
  const refresh = (refreshToken: string) => ask("POST", "/v1/token/refresh", { body: { refreshToken } });
  const me = async (token: string) => (await ask("GET", "/v1/users/me", { token })).status;

  const [first, second] = [newKey(), newKey()];
  await start({ SECRET_KEY: first });
  await ask("POST", "/v1/register", { body: { firstName: "Robin", lastName: "Tester", ...person } });
  const [used, idle] = [await logIn(), await logIn()];
  await ask("POST", "/v1/organisations", { token: used.token, body: { name: "Keys" } });
  const settings = {
    host: "203.0.113.9",
    transport: "udp",
    authentication: "digest",
    user: "robin",
    password: "trunk secret",
  };
  const made = await ask("POST", "/v1/carriers", {
    token: used.token,
    body: { kind: "sip-trunk", label: "Trunk", settings },
  });
  expect(made.status).toBe(201);

  await start({ SECRET_KEY: second, PREVIOUS_SECRET_KEYS: first });
  expect(await me(used.token)).toBe(200);
  const refreshed = await refresh(used.refresh_token);
  expect(refreshed.status).toBe(200);
  // What the previous key encrypted has been re-encrypted.
  const [row] = await asSuperuser(["select * from carrier_secrets"], own.name);
  const sealer = createSealer(readSecrets({ secretKey: second, dataDir }), "carrier-secrets");
  const owner = `${String(row?.["organisation_id"])}/${String(row?.["carrier_id"])}`;
  expect(sealer.open(String(row?.["sealed"]), owner)).toContain("trunk secret");

  await start({ SECRET_KEY: second });
  expect(await me(used.token)).toBe(401);
  expect((await refresh(idle.refresh_token)).status).toBe(401);
  expect(await me(refreshed.json.access_token)).toBe(200);
  expect((await refresh(refreshed.json.refresh_token)).status).toBe(200);
});
