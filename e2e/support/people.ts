import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { installEars } from "./ears.ts";
import { askAt, type Person, signUp } from "../../testing/sign-up.ts";

/** Calls the run's app's API as the page would. */
export const ask = (path: string, options: { method?: string; body?: object; token?: string } = {}) =>
  askAt(inject("appAddress"), path, options);

/** A registered and logged-in user of the run's app, with an organisation. */
export const newPerson = (): Promise<Person> => signUp(inject("appAddress"), { organisation: "Harbour" });

/**
 * A browser profile for one test, not logged in, with the microphone allowed by default. A concurrent test passes its
 * own `onTestFinished`, as Vitest couldn't tell whose profile it is.
 */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions = {},
  whenFinished = onTestFinished,
): Promise<BrowserContext> {
  const context = await openSharedProfile(browser, options);
  whenFinished(async ({ task }) => {
    if (task.result?.state === "fail") await takePictures(context);
    // Open pages would keep their event streams and rendering, slowing down the next tests.
    await context.close();
  });
  return context;
}

/** Like openProfile, for several tests: the caller takes the screenshots of a failure. */
export async function openSharedProfile(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: inject("appAddress"),
    permissions: ["microphone"],
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(30_000);
  await installEars(context);
  return context;
}

/** What a failed test's pages showed, in e2e/failures. */
export async function takePictures(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const path = fileURLToPath(new URL(`../failures/${Date.now()}.png`, import.meta.url));
    await page.screenshot({ path, timeout: 5_000 }).catch(() => {});
  }
}
