import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { inject, onTestFailed } from "vitest";
import { installEars } from "./ears.ts";

export interface Person {
  email: string;
  password: string;
  token: string;
  refreshToken: string;
}

export const newCredentials = () => ({ email: `${randomUUID()}@example.com`, password: `sounding ${randomUUID()}` });

/** Asks the API as the page would. */
export async function ask(path: string, options: { method?: string; body?: object; token?: string } = {}) {
  const { method = options.body ? "POST" : "GET", body, token } = options;
  const answer = await fetch(`${inject("appAddress")}/api${path}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? null : await answer.json();
}

/** Registered and signed in through the API, with an organisation unless told otherwise. */
export async function newPerson(options: { organisation?: boolean } = {}): Promise<Person> {
  const credentials = newCredentials();
  await ask("/v1/register", { body: { firstName: "Robin", lastName: "Sounder", ...credentials } });
  const { token, refresh_token: refreshToken } = await ask("/v1/login", { body: credentials });
  if (options.organisation ?? true) await ask("/v1/organisations", { body: { name: "Harbour" }, token });
  return { ...credentials, token, refreshToken };
}

/** A browser profile of its own, not signed in, with the microphone allowed unless told otherwise. */
export async function openProfile(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: inject("appAddress"),
    permissions: ["microphone"],
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(15_000);
  await installEars(context);
  onTestFailed(() => takePictures(context));
  return context;
}

/** What a failed test's pages showed, in e2e/failures. */
async function takePictures(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const path = fileURLToPath(new URL(`../failures/${Date.now()}.png`, import.meta.url));
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {});
  }
}

/** A page of that person, signed in. */
export async function openAs(context: BrowserContext, person: Person, path = "/calls"): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/health");
  await page.evaluate(
    ({ token, refreshToken }) => {
      localStorage.setItem("leadline.access-token", token);
      localStorage.setItem("leadline.refresh-token", refreshToken);
    },
    { token: person.token, refreshToken: person.refreshToken },
  );
  await page.goto(path);
  return page;
}
