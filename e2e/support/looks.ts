import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe } from "vitest";

/** The appearance of a journey's pages, as set by a browser profile. */
export type Look = Pick<BrowserContextOptions, "viewport" | "colorScheme" | "reducedMotion">;

/** With reduced motion there are no animations to wait for; the journeys with calls have motion. */
const still = { reducedMotion: "reduce" } as const;
const wideLight: Look = { ...still, viewport: { width: 1280, height: 800 }, colorScheme: "light" };
const narrowDark: Look = { ...still, viewport: { width: 375, height: 740 }, colorScheme: "dark" };

/** Runs journeys at 1280 px in light mode, and again at 375 px in dark mode. */
export function inBothLooks(journeys: (look: Look) => void): void {
  journeys(wideLight);
  describe("at 375 px in the dark", () => {
    journeys(narrowDark);
  });
}

/** On narrow pages the sidebar is a sheet, and tables have fewer columns. */
export const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;

/** The sidebar's links, in an open sheet if the page is narrow. */
export async function openSidebar(page: Page): Promise<Locator> {
  if (isNarrow(page)) await page.getByRole("button", { name: "Toggle sidebar" }).click();
  return page.getByRole("navigation", { name: "Main" }).getByRole("link");
}

/** Opens a screen by its link in the sidebar; if that is a sheet, it closes. */
export async function chooseScreen(page: Page, name: string): Promise<void> {
  const links = await openSidebar(page);
  await links.and(page.getByRole("link", { name, exact: true })).click();
  if (isNarrow(page)) await page.getByRole("dialog", { name: "Menu" }).waitFor({ state: "detached" });
}

/** The lists of calls, which are a sheet on a narrow screen. */
export async function openCallLists(page: Page): Promise<void> {
  await page.goto("/calls");
  if (isNarrow(page)) await page.getByRole("button", { name: "Recent calls" }).click();
}
