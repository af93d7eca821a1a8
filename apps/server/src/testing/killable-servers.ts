import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrmServiceDescription, Integration } from "@leadline/contract/integrations";
import { afterAll } from "vitest";
import { ownMigratedDatabase } from "./own-database.ts";
import { type LeadlineProcess, startProcess } from "./start-process.ts";

const person = {
  firstName: "Robin",
  lastName: "Tester",
  email: "robin@example.com",
  password: "correct horse staple",
};

/** Starts servers in succession on one database and data folder, which the sandbox CRM persists to. Stops them after the suite. */
export async function killableServers() {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-killed-"));
  const database = await ownMigratedDatabase();
  const running = new Set<LeadlineProcess>();
  afterAll(async () => {
    for (const leadline of running) await leadline.stop("SIGTERM");
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    database,
    async start(environment: Record<string, string> = {}): Promise<LeadlineProcess> {
      const leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...environment });
      running.add(leadline);
      leadline.child.once("exit", () => running.delete(leadline));
      return leadline;
    },
  };
}

export async function ask<T>(
  origin: string,
  path: string,
  options: { token?: string; body?: object; method?: string } = {},
) {
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

/** As a browser would: reads the consent page at the app's own address, and submits its form. */
async function consent(authoriseUrl: string): Promise<URLSearchParams> {
  const page = await (await fetch(authoriseUrl)).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ ticket, decision: "allow" });
  const answer = await fetch(authoriseUrl, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

/** Registers a person whose organisation connects the sandbox CRM. */
export async function connectSandbox({ origin }: LeadlineProcess): Promise<{ token: string; integrationId: string }> {
  await ask(origin, "/v1/register", { body: person });
  const token = await logIn({ origin });
  await ask(origin, "/v1/organisations", { token, body: { name: "Harbour" } });
  const services = await ask<CrmServiceDescription[]>(origin, "/v1/integrations/services", { token });
  const { service, sandboxDomain } = services.find(({ choosesSource }) => !choosesSource) ?? {};
  const made = await ask<Integration>(origin, "/v1/integrations", {
    token,
    body: { service, label: "Trial", workspaceDomain: sandboxDomain },
  });
  const path = `/v1/integrations/${service}`;
  const login = await ask<{ url: string }>(origin, `${path}/login/${made.id}`, { token, method: "POST" });
  const back = await consent(login.url);
  const body = { code: back.get("code"), integrationId: back.get("state") };
  await ask(origin, `${path}/callback`, { token, body });
  return { token, integrationId: made.id };
}

export async function logIn({ origin }: Pick<LeadlineProcess, "origin">): Promise<string> {
  return (await ask<{ token: string }>(origin, "/v1/login", { body: person })).token;
}
