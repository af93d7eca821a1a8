import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile, openSharedProfile, takePictures } from "./support/people.ts";
import { newCredentials, openAs, type Person, signUp } from "../testing/sign-up.ts";

let browser: Browser;
const pathOf = (page: Page): string => new URL(page.url()).pathname;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

inBothLooks((look) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await openSharedProfile(browser, look);
    page = await context.newPage();
  });
  beforeEach(({ onTestFailed }) => onTestFailed(() => takePictures(context)));

  test("the public pages need no login, and have a Login button", async () => {
    for (const path of ["/", "/register", "/login", "/faq", "/about", "/privacy-policy", "/terms-of-use"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(pathOf(page)).toBe(path);
      expect(await page.locator("html").getAttribute("lang")).toBe("en");
      const login = page.getByRole("banner").getByRole("link", { name: "Login", exact: true });
      expect(await login.getAttribute("href")).toBe("/login");
    }
  });

  test("/error says 'Auth error! Please login again.' and links to the login", async () => {
    await page.goto("/error");
    await page.getByRole("heading", { name: "Auth error! Please login again.", exact: true }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Login" }).click();
    await expect.poll(() => pathOf(page)).toBe("/login");
  });

  test("/error offers a signed-in user the way back, and no login", async () => {
    const signedIn = await openAs(await openProfile(browser, look), await newPerson(), "/error");
    const actions = signedIn.getByRole("main").getByRole("link");
    await expect.poll(() => actions.allInnerTexts()).toEqual(["Back to the dashboard", "Log out"]);
  });

  test("/error stays if the stored tokens are no longer valid", async () => {
    const staleContext = await openProfile(browser, look);
    await staleContext.addInitScript(() => {
      if (sessionStorage.getItem("placed") !== null) return;
      sessionStorage.setItem("placed", "");
      localStorage.setItem("leadline.access-token", "worn-out");
      localStorage.setItem("leadline.refresh-token", "worn-out");
    });
    const stale = await staleContext.newPage();
    const refreshed = stale.waitForResponse((response) => response.url().endsWith("/v1/token/refresh"));
    await stale.goto("/error");
    expect((await refreshed).ok()).toBe(false);
    await stale.getByRole("banner").getByRole("link", { name: "Login", exact: true }).waitFor();
    expect(pathOf(stale)).toBe("/error");
    await stale.getByRole("main").getByRole("link", { name: "Login" }).click();
    await stale.getByRole("heading", { name: "Welcome back", exact: true }).waitFor();
  });

  test("/login greets, and links to password reset and registration", async () => {
    await page.goto("/login");
    await page.getByRole("heading", { name: "Welcome back", exact: true }).waitFor();
    await page.getByText("Login to your Leadline account", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Forgot your password", exact: true }).getAttribute("href")).toBe(
      "/forgot-password",
    );
    expect(await page.getByRole("main").getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe(
      "/register",
    );
  });

  test("the login form says 'A valid email is required' and 'A strong password is required'", async () => {
    await page.goto("/login");
    await page.getByLabel("Email").fill("robin@");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("A valid email is required").waitFor();
    expect(await page.getByRole("alert").allInnerTexts()).toEqual([
      "A valid email is required",
      "A strong password is required",
    ]);
  });

  test("the register form says what each field needs", async () => {
    await page.goto("/register");
    await page.getByLabel("First name").fill("R");
    await page.getByLabel("Last name").fill("S".repeat(51));
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("First name is required").waitFor();
    expect(await page.getByRole("alert").allInnerTexts()).toEqual([
      "First name is required",
      "Last name is required",
      "A valid email is required",
      "A strong password is required",
    ]);
  });

  test("an unknown address says so and links back", async () => {
    await page.goto("/no-such-page");
    await page.getByText("There is no page at this address.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Back to the start" }).click();
    await expect.poll(() => pathOf(page)).toBe("/");
  });
});

test("/health shows 'Ok! ' and nothing else", async () => {
  const page = await (await openProfile(browser)).newPage();
  await page.goto("/health");
  await expect.poll(() => page.locator("main").textContent()).toBe("Ok! ");
  expect((await page.locator("body").innerText()).trim()).toBe("Ok!");
});

test("a malformed address is refused, and the server continues", async () => {
  for (const path of ["/%00", "/a%2Fb%", "/%zz", "/api/%zz"])
    expect({ path, status: (await fetch(`${inject("appAddress")}${path}`)).status }).toEqual({ path, status: 400 });
  const refused = await fetch(`${inject("appAddress")}/api/%zz`);
  expect(refused.headers.get("content-type")).toContain("application/problem+json");
  const page = await (await openProfile(browser)).newPage();
  for (const path of ["/a%2Fb%", "/%00", "/leads/%zz"]) {
    const answer = await page.goto(`${inject("appAddress")}${path}`);
    expect(answer?.headers()["content-security-policy"]).toContain("script-src 'self'");
    await page.getByRole("heading", { name: "No bottom here" }).waitFor();
    await page.getByRole("link", { name: "Back to the start" }).waitFor();
  }
  expect((await fetch(`${inject("appAddress")}/api/health`)).status).toBe(200);
});

test("every address below /oauth2 is a callback of the hosted login, and ends at / without a code", async () => {
  const page = await (await openProfile(browser)).newPage();
  for (const path of ["/oauth2", "/oauth2/callback?state=made-up", "/oauth2/any/depth?code=made-up&state=made-up"]) {
    await page.goto("/health");
    await page.evaluate((to) => location.assign(to), path);
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("alert").getByText("Login wasn’t completed").waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  }
});

test("every address in the signed-in area redirects to the login", async () => {
  const page = await (await openProfile(browser)).newPage();
  for (const path of [
    "/dashboard",
    "/integrations",
    "/integrations/new",
    "/integrations/salesforce/callback",
    "/leads",
    "/leads/new",
    "/calls",
    "/settings/organisations",
    "/settings/organisations/new",
    "/settings/phone-numbers",
    "/settings/phone-numbers/assign",
    "/settings/general",
    "/settings/billing",
    "/settings/limits",
  ]) {
    await page.goto(path);
    await expect.poll(() => pathOf(page)).toBe("/login");
  }
});

test("a login stores the tokens in local storage and reloads into the dashboard", async () => {
  const page = await (await openProfile(browser)).newPage();
  const { email, password } = await signUp(inject("appAddress"));
  await page.goto("/login");
  await page.evaluate(() => Object.assign(window, { fromBefore: true }));
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");
  expect(await page.evaluate(() => "fromBefore" in window)).toBe(false);
  expect(Object.keys(await page.evaluate(() => ({ ...localStorage }))).toSorted()).toEqual([
    "leadline.access-token",
    "leadline.refresh-token",
  ]);
});

test("invalid tokens are cleared, and the user goes to the login", async () => {
  const stale: Person = { ...newCredentials(), token: "stale", refreshToken: "stale" };
  const stranger = await openProfile(browser);
  const inside = await openAs(stranger, stale, "/health");
  await inside.goto("/dashboard", { waitUntil: "commit" });
  await inside.waitForURL("**/login");
  await expect.poll(() => inside.evaluate(() => localStorage.length).catch(() => null)).toBe(0);
  await stranger.close();
});
