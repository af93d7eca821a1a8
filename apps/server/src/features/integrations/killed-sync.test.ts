import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Integration, SyncRun } from "@leadline/contract/integrations";
import { afterAll, expect, test, vi } from "vitest";
import { asSuperuser, ownDatabase } from "../../testing/own-database.ts";
import { type LeadlineProcess, startProcess } from "../../testing/start-process.ts";

const dataDir = mkdtempSync(join(tmpdir(), "leadline-sync-"));
const database = await ownDatabase();
const running = new Set<LeadlineProcess>();

afterAll(async () => {
  for (const leadline of running) await leadline.stop("SIGTERM");
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<LeadlineProcess> => {
  const leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url });
  running.add(leadline);
  leadline.child.once("exit", () => running.delete(leadline));
  return leadline;
};

async function ask<T>(origin: string, path: string, options: { token?: string; body?: object; method?: string } = {}) {
  const { token = "", body, method = body === undefined ? "GET" : "POST" } = options;
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  const parsed: T = await answer.json();
  return parsed;
}

/** As a browser would: reads the consent page below the app's own address, and sends its form. */
async function consent(authoriseUrl: string): Promise<URLSearchParams> {
  const page = await (await fetch(authoriseUrl)).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ ticket, decision: "allow" });
  const answer = await fetch(authoriseUrl, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

test("a sync whose server is killed goes on after the restart, with no lead missing and none twice", async () => {
  const person = {
    firstName: "Robin",
    lastName: "Tester",
    email: "robin@example.com",
    password: "correct horse staple",
  };
  const first = await start();
  await ask(first.origin, "/v1/register", { body: person });
  const { token } = await ask<{ token: string }>(first.origin, "/v1/login", { body: person });
  await ask(first.origin, "/v1/organisations", { token, body: { name: "Harbour" } });
  const made = await ask<Integration>(first.origin, "/v1/integrations", {
    token,
    body: { service: "salesforce", label: "Trial", workspaceDomain: "sandbox.leadline.test" },
  });
  const login = await ask<{ url: string }>(first.origin, `/v1/integrations/salesforce/login/${made.id}`, {
    token,
    method: "POST",
  });
  const back = await consent(login.url);
  const body = { code: back.get("code"), integrationId: back.get("state") };
  await ask(first.origin, "/v1/integrations/salesforce/callback", { token, body });

  // Each page now takes two seconds to be written, so that there is a middle to be killed in.
  await asSuperuser(
    [
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(2); return null; end $$`,
      `create trigger slow after insert on leads for each statement execute function slow()`,
    ],
    database.name,
  );
  const started = await ask<SyncRun>(first.origin, `/v1/integrations/${made.id}/sync`, { token, method: "POST" });
  const readRun = async (leadline: LeadlineProcess, by: string): Promise<SyncRun | null> => {
    const [integration] = await ask<Integration[]>(leadline.origin, "/v1/integrations", { token: by });
    return integration?.lastSync ?? null;
  };
  await vi.waitFor(async () => expect((await readRun(first, token))?.read).toBeGreaterThan(0), { interval: 20 });
  await first.stop("SIGKILL");
  await asSuperuser(["drop trigger slow on leads"], database.name);
  const [left] = await asSuperuser(["select count(*)::int as count from leads"], database.name);
  expect([100, 200]).toContain(left?.["count"]);

  // The sandbox remembers the consent, and the server goes on by itself: nobody presses anything.
  const second = await start();
  const again = await ask<{ token: string }>(second.origin, "/v1/login", { body: person });
  const finished = await vi.waitFor(async () => {
    const run = await readRun(second, again.token);
    expect(run?.status).toBe("completed");
    return run;
  });
  expect(finished).toMatchObject({ id: started.id, read: 250, created: 250, updated: 0, problem: null });
  const [kept] = await asSuperuser(
    ["select count(*)::int as count, count(distinct external_id)::int as people from leads"],
    database.name,
  );
  expect(kept).toEqual({ count: 250, people: 250 });
}, 120_000);
