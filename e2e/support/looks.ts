import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { describe } from "vitest";

/** What a journey's pages look like, as a browser profile has it. */
export type Look = Pick<BrowserContextOptions, "viewport" | "colorScheme" | "reducedMotion">;

/** Whoever wants no motion gets none, and there is none to wait for; the journeys with calls have it. */
const still = { reducedMotion: "reduce" } as const;
const wideLight: Look = { ...still, viewport: { width: 1280, height: 800 }, colorScheme: "light" };
const narrowDark: Look = { ...still, viewport: { width: 375, height: 740 }, colorScheme: "dark" };

/** Journeys at 1280 px in the light, and the same at 375 px in the dark. */
export function inBothLooks(journeys: (look: Look) => void): void {
  journeys(wideLight);
  describe("at 375 px in the dark", () => {
    journeys(narrowDark);
  });
}

/** Below it the sidebar is a sheet, and tables say in fewer columns what they say in more. */
export const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;

/** The sidebar's links, out of their sheet where the page is narrow. */
export async function openSidebar(page: Page): Promise<Locator> {
  if (isNarrow(page)) await page.getByRole("button", { name: "Toggle sidebar" }).click();
  return page.getByRole("navigation", { name: "Main" }).getByRole("link");
}

/** To a screen by its link in the sidebar; where that was a sheet, it closes. */
export async function chooseScreen(page: Page, name: string): Promise<void> {
  const links = await openSidebar(page);
  await links.and(page.getByRole("link", { name, exact: true })).click();
  if (isNarrow(page)) await page.getByRole("dialog", { name: "Menu" }).waitFor({ state: "detached" });
}

/** The lists of calls, which on a narrow screen are a sheet. */
export async function openCallLists(page: Page): Promise<void> {
  await page.goto("/calls");
  if (isNarrow(page)) await page.getByRole("button", { name: "Recent calls" }).click();
}
