import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs, signUp } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

interface Script {
  path: string;
  text: string;
  /** Size with gzip. */
  bytes: number;
}

/** Every script that the context's pages load: static imports, preloads and the screen's own chunk. */
function watchScripts(context: BrowserContext): { sofar: () => Promise<Script[]> } {
  const loading: Promise<Script>[] = [];
  context.on("response", (response) => {
    if (!/javascript/.test(response.headers()["content-type"] ?? "")) return;
    const { pathname } = new URL(response.url());
    const script = response
      .body()
      .then((body) => ({ path: pathname, text: body.toString(), bytes: gzipSync(body).length }));
    // Requests after this check may still be pending when the page closes.
    script.catch(() => {});
    loading.push(script);
  });
  return { sofar: () => Promise.all(loading.splice(0)) };
}

function expectAtMost(maxBytes: number, scripts: readonly Script[]): void {
  expect(scripts.length).toBeGreaterThan(1);
  const sum = scripts.reduce((total, { bytes }) => total + bytes, 0);
  const told = scripts.map(({ path, bytes }) => `${path}: ${bytes}`);
  expect(sum <= maxBytes ? [] : told, `${sum} bytes`).toEqual([]);
}

const pathsWith = (words: RegExp, scripts: readonly Script[]): string[] =>
  scripts.filter(({ text }) => words.test(text)).map(({ path }) => path);

test("opening /login loads at most 150 kB of JavaScript, gzipped, and no other screen's", async () => {
  const context = await browser.newContext({ baseURL: inject("appAddress") });
  const scripts = watchScripts(context);
  const page = await context.newPage();
  await page.goto("/login", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Login" }).waitFor();
  const loaded = await scripts.sofar();
  expectAtMost(150_000, loaded);
  // Text that occurs in the phone, the charts and a settings page.
  expect(pathsWith(/RTCPeerConnection|recharts|Simultaneous calls/, loaded)).toEqual([]);
  await context.close();
});

test("opening /dashboard, signed in, loads at most 174 kB of JavaScript, gzipped, before it is shown", async () => {
  const person = await signUp(inject("appAddress"), { organisation: "Harbour" });
  const context = await browser.newContext({ baseURL: inject("appAddress") });
  await (await openAs(context, person, "/health")).close();
  const scripts = watchScripts(context);
  const page = await context.newPage();
  await page.goto("/dashboard", { waitUntil: "commit" });
  await page.getByRole("heading", { name: "First steps" }).waitFor();
  const beforeRead = await pathsBeforeRead(page);
  const loaded = (await scripts.sofar()).filter(({ path }) => beforeRead.includes(path));
  expectAtMost(174_000, loaded);
  // Text that occurs in the charts, the numbering plans, the validator, the menus and a form.
  expect(pathsWith(/recharts|country_calling_codes|invalid_union|MenuContent|handleSubmit/, loaded)).toEqual([]);
  expect(await askedWhoIsHere(page)).toEqual({ times: 1, beforeTheCodeRan: true });
  await menuOpens(page);
  await context.close();
});

/** Requests before the page was complete. Later ones delay nobody. */
const pathsBeforeRead = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = performance.getEntriesByType("resource").map((entry) => entry.toJSON());
    const reads = all.filter(({ name }) => /\/api\/v1\/(calls\?limit|integrations|phone-numbers)/.test(name));
    const readAt = Math.max(...reads.map(({ responseEnd }) => responseEnd));
    return all.filter(({ startTime }) => startTime < readAt).map(({ name }) => new URL(name).pathname);
  });

/** Modules run once the page is parsed, however early they arrive. */
const askedWhoIsHere = (page: Page): Promise<{ times: number; beforeTheCodeRan: boolean }> =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation").map((entry) => entry.toJSON());
    const all = performance.getEntriesByType("resource").map((entry) => entry.toJSON());
    const asked = all.filter(({ name }) => name.endsWith("/api/v1/users/me"));
    return { times: asked.length, beforeTheCodeRan: asked[0]?.startTime < navigation.domInteractive };
  });

/** At once, whether or not its code has loaded meanwhile. */
async function menuOpens(page: Page): Promise<void> {
  await page.getByRole("button", { name: "your account" }).click();
  await page.getByRole("menuitem", { name: "Log out" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menuitem", { name: "Log out" }).waitFor({ state: "detached" });
  const hasFocus = () =>
    page.getByRole("button", { name: "your account" }).evaluate((it) => it === document.activeElement);
  // The focus returns in its own task once the menu is gone.
  await expect.poll(hasFocus).toBe(true);
}
