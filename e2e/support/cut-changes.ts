import { type Locator, type Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Does something twice, the first time without a network: the error must appear where it was done, be announced
 * immediately, stay until the action is repeated, and not be a toast.
 */
export async function refusedOnce(page: Page, act: () => Promise<void>, place: Locator): Promise<void> {
  const changes = "**/api/v1/**";
  await page.route(changes, (route) => (route.request().method() === "GET" ? route.fallback() : route.abort()));
  await act();
  const refusal = place.getByRole("alert").filter({ hasText: "Can’t reach Leadline." });
  await refusal.waitFor();
  expect(await page.locator("[data-sonner-toast]").filter({ hasText: "Can’t reach Leadline" }).count()).toBe(0);
  await page.unroute(changes);
  await act();
  await refusal.waitFor({ state: "detached" });
}
