import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type LoginProviderServer,
  signInAt,
  startLoginProvider,
} from "../apps/server/src/testing/login-provider-server.ts";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openProfile } from "./support/people.ts";
import { askAt, signUp } from "../testing/sign-up.ts";
import { type RunningApp, startApp } from "../testing/start-app.ts";

let browser: Browser;
let app: RunningApp;
let elsewhere: LoginProviderServer;

beforeAll(async () => {
  elsewhere = await startLoginProvider();
  const { issuer, clientId, clientSecret, name } = elsewhere.settings;
  const oidc = { OIDC_ISSUER: issuer.origin, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  [browser, app] = await Promise.all([openBrowser(), startApp({ env: { ...oidc, OIDC_NAME: name } })]);
  elsewhere.serve(app.address);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await elsewhere.close();
});

const newPage = async (options: BrowserContextOptions = {}): Promise<Page> =>
  (await openProfile(browser, { baseURL: app.address, ...options })).newPage();

/** For pages that redirect while loading or leaving, which goto would report as failures. */
async function leaveFor(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: "commit" }).catch((error: unknown) => {
    if (!String(error).includes("ERR_ABORTED")) throw error;
  });
}

/** The provider's own form, because our login also has an "Email" field. */
const askedElsewhere = (page: Page) => page.getByRole("heading", { name: "Harbour ID" }).waitFor();
async function signInElsewhere(page: Page, email: string): Promise<void> {
  await askedElsewhere(page);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Sign in" }).click();
}
const continueFromLogin = async (page: Page): Promise<void> => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
};
const arrive = (page: Page, path: string) =>
  page.waitForURL((url) => url.origin === app.address && `${url.pathname}${url.search}` === path);
const stored = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage).toSorted());
const tokens = ["leadline.access-token", "leadline.id-token", "leadline.refresh-token"];

inBothLooks((look) => {
  test("a page that needs a login goes through the hosted login back to itself, and logging out ends both sessions", async () => {
    const person = elsewhere.newPerson();
    const page = await newPage(look);
    let shownMeanwhile = "";
    await page.route("**/api/v1/hosted-login/token", async (route) => {
      shownMeanwhile = (await page.getByRole("status").textContent()) ?? "";
      expect(route.request().headers()["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
      await route.continue();
    });
    await leaveFor(page, "/leads?status=New");
    await signInElsewhere(page, person.email);
    await arrive(page, "/leads?status=New");
    expect(shownMeanwhile).toBe("...Loading");
    await page.getByRole("heading", { name: "Leads" }).waitFor();
    expect(await stored(page)).toEqual(expect.arrayContaining(tokens));
    expect(await page.evaluate(() => sessionStorage.getItem("leadline.hosted-login"))).toBeNull();

    await page.goto("/logout");
    await page.getByRole("button", { name: "Sign out" }).click();
    await arrive(page, "/");
    expect(await stored(page)).not.toContain("leadline.access-token");
    // The provider asks for the login again.
    await continueFromLogin(page);
    await askedElsewhere(page);
  });
});

test("from the login page it ends on the dashboard, and its response works once and only in that browser", async () => {
  const page = await newPage();
  const returned = page.waitForRequest((request) => new URL(request.url()).pathname === "/oauth2/callback");
  await continueFromLogin(page);
  await signInElsewhere(page, elsewhere.newPerson().email);
  await arrive(page, "/dashboard");
  const callback = (await returned).url();

  await page.goto(callback);
  await arrive(page, "/");
  expect(await stored(page)).toEqual(expect.arrayContaining(tokens));
  const stranger = await newPage();
  await stranger.goto(callback);
  await arrive(stranger, "/");
  await stranger.getByRole("alert").getByText("Login wasn’t completed").waitFor();
  expect(await stored(stranger)).not.toContain("leadline.access-token");
});

test("a state of another login, and a canceled login, end on the landing page", async () => {
  const page = await newPage();
  await continueFromLogin(page);
  await askedElsewhere(page);
  // Another person's login that is finished in this browser would sign this user in as them.
  const { url } = await askAt(app.address, "/v1/hosted-login", { body: {} });
  // The page redirects before it has loaded, which goto reports as a failure.
  const { href } = await signInAt(url, elsewhere.newPerson().email);
  await page.evaluate((address) => void setTimeout(() => location.assign(address)), href);
  await arrive(page, "/");
  await page.getByRole("alert").getByText("it started in another browser").waitFor();
  expect(await stored(page)).not.toContain("leadline.access-token");

  const other = await newPage();
  await continueFromLogin(other);
  await other.getByRole("button", { name: "Cancel" }).click();
  await arrive(other, "/");
  await other.getByRole("alert").getByText("Login wasn’t completed").waitFor();
});

test("a refused person sees why, and can log in differently", async () => {
  const person = elsewhere.newPerson({ emailVerified: false });
  const page = await newPage({ bypassCSP: true });
  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with Harbour ID" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Continue with Harbour ID" }).click();
  await signInElsewhere(page, person.email);
  await arrive(page, "/");
  await page.getByRole("alert").getByText("has not verified your email address").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
  await page.getByLabel("Password").waitFor();
});

test("without a refresh token a 401 redirects to the hosted login, except on public pages; a refused refresh to the login", async () => {
  const { token } = await signUp(app.address);
  const page = await newPage();
  await page.goto("/faq");
  const plantStale = () => page.evaluate((stale) => localStorage.setItem("leadline.access-token", stale), `${token}x`);
  await plantStale();
  await page.goto("/about");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(new URL(page.url()).pathname).toBe("/about");
  // Set again after each refusal, so that the next page believes it is signed in until its first 401.
  await expect.poll(() => stored(page)).not.toContain("leadline.access-token");
  await plantStale();
  const refused = page.waitForResponse((answer) => answer.status() === 401);
  await leaveFor(page, "/settings/limits");
  await refused;
  await signInElsewhere(page, elsewhere.newPerson().email);
  await arrive(page, "/settings/limits");

  await page.evaluate(() => {
    localStorage.setItem("leadline.access-token", "worn out");
    localStorage.setItem("leadline.refresh-token", "made up");
  });
  await leaveFor(page, "/leads");
  await arrive(page, "/login");
  expect(await stored(page)).not.toContain("leadline.access-token");
});
