import type { Page } from "playwright-core";

/** To another screen as a link leads there, without loading the page anew. Waits until it stands. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const title = await page.title();
  await page.evaluate((to) => history.pushState({}, "", to), path);
  // A screen brings its title with it, and no two have the same.
  await page.waitForFunction((before) => document.title !== before, title);
}
