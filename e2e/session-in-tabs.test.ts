import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("three tabs whose access token has expired refresh at once, and all stay signed in", async () => {
  const context = await openProfile(browser);
  const first = await openAs(context, await newPerson(), "/dashboard");
  const pages = [first, await context.newPage(), await context.newPage()];
  await Promise.all(pages.slice(1).map((page) => page.goto("/dashboard")));
  for (let round = 0; round < 3; round += 1) {
    await first.evaluate(() => localStorage.setItem("leadline.access-token", "worn out"));
    await Promise.all(pages.map((page) => page.reload()));
    await Promise.all(pages.map((page) => page.getByRole("button", { name: "Harbour" }).waitFor()));
  }
  for (const page of pages) expect(new URL(page.url()).pathname).toBe("/dashboard");
  const stored = await first.evaluate(() => localStorage.getItem("leadline.access-token"));
  expect(stored).not.toBe("worn out");
});

test("logging out in one tab signs out the others", async () => {
  const context = await openProfile(browser);
  const first = await openAs(context, await newPerson(), "/dashboard");
  const second = await context.newPage();
  await second.goto("/dashboard");
  await first.goto("/logout");
  await first.waitForURL((url) => url.pathname === "/");
  await second.waitForURL((url) => !url.pathname.startsWith("/dashboard"));
  expect(await first.evaluate(() => localStorage.getItem("leadline.refresh-token"))).toBeNull();
});

test("a user without a session goes to the login, which says if it has ended, and to the first page after a 401; public pages stay", async () => {
  const page = await (await openProfile(browser)).newPage();
  await page.goto("/leads");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/login");
  expect(await page.getByRole("button", { name: /^Continue with/ }).count()).toBe(0);
  await page.evaluate(() => {
    localStorage.setItem("leadline.access-token", "worn out");
    localStorage.setItem("leadline.refresh-token", "worn out");
  });
  // The page redirects before it has loaded, which goto would report as a failure.
  await page.goto("/leads", { waitUntil: "commit" });
  await page.getByText("Your session has ended. Log in to continue.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/login");
  const lose = () => page.evaluate(() => localStorage.setItem("leadline.access-token", "worn out"));
  await lose();
  await page.goto("/leads", { waitUntil: "commit" });
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("link", { name: "Create an account" }).waitFor();
  await lose();
  await page.goto("/about");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("leadline.access-token"))).toBeNull();
  expect(new URL(page.url()).pathname).toBe("/about");
});

/** Ends all of the user's sessions but a new one. */
async function endFromElsewhere({ email, password }: Person): Promise<void> {
  const { token } = await ask("/v1/login", { body: { email, password } });
  await ask("/v1/sessions", { method: "DELETE", token });
}

inBothLooks((look) => {
  test("a session ended elsewhere sends an open tab to the login, which says why; without a refresh token, to the first page", async () => {
    const person = await newPerson();
    const open = async () => {
      const page = await openAs(await openProfile(browser, look), person, "/dashboard");
      await page.getByRole("button", { name: "Harbour" }).waitFor();
      return page;
    };
    const [tab, withoutRefresh] = [await open(), await open()];
    await withoutRefresh.evaluate(() => localStorage.removeItem("leadline.refresh-token"));
    await endFromElsewhere(person);
    await tab.getByText("Your session has ended. Log in to continue.").waitFor();
    expect(new URL(tab.url()).pathname).toBe("/login");
    await withoutRefresh.waitForURL((url) => url.pathname === "/");
  });
});

test("no screen is shown without a loaded user: a failing server is reported and retried, and an unknown user goes to the login", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/health");
  await page.route("**/api/v1/users/me", (route) => route.fulfill({ status: 503 }));
  await page.goto("/leads");
  await page.getByText("Couldn’t load your account").waitFor();
  expect(await page.getByRole("navigation", { name: "Main" }).count()).toBe(0);
  await page.unroute("**/api/v1/users/me");
  await page.getByRole("button", { name: "Try again" }).click();
  const calls = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calls" });
  // At once, because a request of the page might get a 401 first, which redirects elsewhere.
  await calls.evaluate((link: HTMLElement) => {
    localStorage.clear();
    link.click();
  });
  await page.waitForURL("**/login");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
});
