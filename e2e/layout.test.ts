import type { Browser, Page } from "playwright-core";
import { setBalance } from "../apps/server/src/testing/set-balance.ts";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";

let browser: Browser;
let person: Person;
beforeAll(async () => {
  [browser, person] = await Promise.all([openBrowser(), newPerson()]);
});
afterAll(() => browser.close());

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const sidebarWidth = async (page: Page) =>
  (
    await page
      .getByRole("complementary")
      .boundingBox()
      .catch(() => null)
  )?.width ?? 0;

test("Ctrl+B and Cmd+B fold the sidebar, and a cookie remembers it for seven days", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, person, "/dashboard");
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  const wide = await sidebarWidth(page);
  await page.keyboard.press("Control+b");
  await expect.poll(() => sidebarWidth(page)).toBeLessThan(wide / 2);
  const cookie = (await context.cookies()).find(({ name }) => name === "sidebar");
  expect(cookie?.value).toBe("collapsed");
  const livesForSeconds = (cookie?.expires ?? 0) - Date.now() / 1000;
  expect(Math.abs(livesForSeconds - 604_800)).toBeLessThan(60);
  await page.reload();
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  expect(await sidebarWidth(page)).toBeLessThan(wide / 2);
  await page.keyboard.press("Meta+b");
  await expect.poll(() => sidebarWidth(page)).toBe(wide);
});

test("below 768 px the sidebar is a sheet, and following a link closes it", async () => {
  const context = await openProfile(browser, { viewport: { width: 767, height: 800 } });
  const page = await openAs(context, person, "/dashboard");
  const toggle = page.getByRole("button", { name: "Toggle sidebar" });
  await toggle.waitFor();
  expect(await page.getByRole("link", { name: "Organisations" }).count()).toBe(0);
  await toggle.click();
  const sheet = page.getByRole("dialog", { name: "Menu" });
  await sheet.getByRole("link", { name: "Organisations" }).click();
  await page.waitForURL("**/settings/organisations");
  await sheet.waitFor({ state: "detached" });
  await toggle.click();
  await sheet.getByRole("button", { name: "Close" }).click();
  await sheet.waitFor({ state: "detached" });
  await page.setViewportSize({ width: 768, height: 800 });
  await page.getByRole("complementary").getByRole("link", { name: "Organisations" }).waitFor();
});

test("a name written right to left is truncated at its end, and a short one is aligned like others", async () => {
  const names = ["אבגדהוזחטיכלמנסעפצקרשת", "אבגדהוז"];
  for (const firstName of names)
    await ask("/v1/leads", {
      token: person.token,
      body: {
        firstName: `${firstName} `.repeat(firstName.length > 10 ? 4 : 1).trim(),
        lastName: "לוי",
        email: "levi@example.com",
        phone: "+97235550100",
      },
    });
  const page = await openAs(await openProfile(browser, { viewport: { width: 375, height: 740 } }), person, "/leads");
  const shown = page.locator(".truncate", { hasText: "אבגדהוז" });
  await expect.poll(() => shown.count()).toBeGreaterThanOrEqual(2);
  // A select may show a colleague's name.
  const chosen = page.getByRole("combobox").locator("> span");
  for (const truncated of [shown, chosen]) {
    const looks = await truncated.evaluateAll((all) =>
      all.map((one) => [getComputedStyle(one).unicodeBidi, getComputedStyle(one).textAlign]),
    );
    expect(new Set(looks.map(String))).toEqual(new Set(["plaintext,left"]));
  }
});

test("only the disabled items of a menu are faint", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/settings/members");
  await page.getByRole("button", { name: /^Actions/ }).click();
  const opacityOf = (item: string) =>
    page.getByRole("menuitem", { name: item }).evaluate((each) => getComputedStyle(each).opacity);
  // The last owner can't be changed.
  expect([await opacityOf("Make admin"), await opacityOf("Leave…")]).toEqual(["0.5", "1"]);
});

test("the theme is light, dark or the system's, and is remembered", async () => {
  const context = await openProfile(browser, { colorScheme: "light" });
  const page = await openAs(context, person, "/dashboard");
  const shown = () => page.evaluate(() => document.documentElement.dataset["theme"]);
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Theme" }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  await choose("Dark");
  await expect.poll(shown).toBe("dark");
  await page.reload();
  expect(await shown()).toBe("dark");
  await page.goto("/");
  expect(await shown()).toBe("dark");
  await page.goto("/dashboard");
  await choose("Light");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await shown()).toBe("light");
  await choose("System");
  await expect.poll(shown).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(shown).toBe("light");
});

test("the breadcrumbs show the path to the page and lead back", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, person, "/settings/organisations/new");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect.poll(() => crumbs.getByRole("listitem").allTextContents()).toEqual(["Settings", "Organisations", "New"]);
  expect(await crumbs.locator("[aria-current=page]").textContent()).toBe("New");
  await crumbs.getByRole("link", { name: "Organisations" }).click();
  await page.waitForURL("**/settings/organisations");
  await expect.poll(() => crumbs.getByRole("listitem").allTextContents()).toEqual(["Settings", "Organisations"]);
});

inBothLooks((look) => {
  test("the organisation switcher changes the active organisation permanently", async () => {
    const member = await newPerson();
    await ask("/v1/organisations", { body: { name: "Quay" }, token: member.token });
    const context = await openProfile(browser, look);
    const page = await openAs(context, member, "/dashboard");
    await page.getByRole("button", { name: "Organisation: Quay" }).click();
    expect(await page.getByRole("menuitemradio", { name: "Quay" }).getAttribute("aria-checked")).toBe("true");
    await page.getByRole("menuitemradio", { name: "Harbour" }).click();
    await page.getByText("Switched to Harbour.").waitFor();
    await page.getByRole("button", { name: "Organisation: Harbour" }).waitFor();
    expect((await ask("/v1/users/me", { token: member.token })).activeOrganisation.name).toBe("Harbour");
    await page.reload();
    await page.getByRole("button", { name: "Organisation: Harbour" }).click();
    await page.getByRole("menuitem", { name: "New organisation" }).click();
    await page.waitForURL("**/settings/organisations/new");
  });

  test("the header shows the active organisation's balance, and the other one's after switching", async () => {
    const owner = await newPerson();
    const { id: quay } = await ask("/v1/organisations", { body: { name: "Quay" }, token: owner.token });
    const all: { id: string }[] = await ask("/v1/organisations", { token: owner.token });
    const dataDir = inject("appDataDir");
    for (const { id } of all)
      await setBalance(dataDir, { organisationId: id, balanceMicros: id === quay ? -3_200_000 : 1_234_560_000 });
    const context = await openProfile(browser, look);
    const page = await openAs(context, owner, "/dashboard");
    const header = page.getByRole("banner");
    await header.getByText("Balance: −$3.20", { exact: true }).waitFor();
    await header.getByRole("button", { name: "Organisation: Quay" }).click();
    await page.getByRole("menuitemradio", { name: "Harbour" }).click();
    await header.getByText("Balance: $1,234.56", { exact: true }).waitFor();
    expect(await header.getByText("Balance:").count()).toBe(1);
  });
});

test("a signed-in user is redirected from login and register to the landing page, which shows their name", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, person, "/login");
  await page.getByRole("link", { name: "Robin" }).waitFor();
  expect(pathOf(page)).toBe("/");
  await page.goto("/register");
  await page.getByRole("link", { name: "Robin" }).waitFor();
  expect(pathOf(page)).toBe("/");
  const mine = page.getByRole("banner").getByRole("link", { name: "Robin", exact: true });
  expect(await mine.getAttribute("href")).toBe("/dashboard");
  await mine.click();
  await page.waitForURL("**/dashboard");
});

inBothLooks((look) => {
  test("the user menu names the user and logs out, and every stored token is removed", async () => {
    const member = await newPerson();
    const context = await openProfile(browser, look);
    const page = await openAs(context, member, "/dashboard");
    const { promise: maySend, resolve: letSend } = Promise.withResolvers<void>();
    await context.route("**/api/v1/logout", async (route) => {
      await maySend;
      await route.continue();
    });
    await page.getByRole("button", { name: "RS, your account" }).click();
    await page.getByText("Robin Sounder").waitFor();
    await page.getByText(member.email).waitFor();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByText("Logging out...", { exact: true }).waitFor();
    letSend();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("banner").getByRole("link", { name: "Login" }).waitFor();
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
    await page.goto("/dashboard");
    await page.waitForURL("**/login");
  });
});
