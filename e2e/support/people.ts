import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { inject, onTestFinished } from "vitest";
import { installEars } from "./ears.ts";
import { askAt, type Person, signUp } from "../../testing/sign-up.ts";

/** Asks the run's app as the page would. */
export const ask = (path: string, options: { method?: string; body?: object; token?: string } = {}) =>
  askAt(inject("appAddress"), path, options);

/** Registered and signed in at the run's app, with an organisation. */
export const newPerson = (): Promise<Person> => signUp(inject("appAddress"), { organisation: "Harbour" });

/**
 * A browser profile for one test, not signed in, with the microphone allowed unless told otherwise. A test that runs at the
 * same time as others hands over its own `onTestFinished`, as Vitest could not tell whose the profile is.
 */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions = {},
  whenFinished = onTestFinished,
): Promise<BrowserContext> {
  const context = await openSharedProfile(browser, options);
  whenFinished(async ({ task }) => {
    if (task.result?.state === "fail") await takePictures(context);
    // Pages that stay open go on listening to the server and drawing, at the cost of the tests that follow.
    await context.close();
  });
  return context;
}

/** As openProfile, for several tests: who opens it before them takes the pictures of a failure. */
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
