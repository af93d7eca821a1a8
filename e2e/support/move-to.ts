import type { Page } from "playwright-core";

/** Navigates to another screen like a link, without reloading the page. Waits until it is shown. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const title = await page.title();
  await page.evaluate((to) => history.pushState({}, "", to), path);
  // Each screen sets its own title, and no two have the same.
  await page.waitForFunction((before) => document.title !== before, title);
}
