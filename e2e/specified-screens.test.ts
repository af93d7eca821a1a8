import type { Browser, Page } from "playwright-core";
import type { AvailableNumber } from "../packages/contract/src/phone-numbers.ts";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { moveTo } from "./support/move-to.ts";
import { chooseScreen, inBothLooks, isNarrow, openCallLists, openSidebar } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person, signUp } from "../testing/sign-up.ts";

let browser: Browser;
const pathOf = (page: Page): string => new URL(page.url()).pathname;
/** The texts of the page's buttons and links, without menus. */
const offers = (page: Page) => page.getByRole("main").locator("a, button").allInnerTexts();
const columns = (page: Page) => page.getByRole("columnheader").allTextContents();

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

inBothLooks((look) => {
  let person: Person;
  let page: Page;
  beforeEach(async ({ onTestFinished }) => {
    person = await newPerson();
    page = await openAs(await openProfile(browser, look, onTestFinished), person, "/dashboard");
  });

  test("the sidebar names the screens in their order, settings in a group", async () => {
    const links = await openSidebar(page);
    await links.first().waitFor();
    const names = await links.allInnerTexts();
    expect(names.slice(0, 4)).toEqual(["Dashboard", "Integrations", "Leads", "Calls"]);
    const group = ["General", "Organisations", "Phone numbers", "Billing", "Limits"];
    expect(names.filter((name) => group.includes(name))).toEqual(group);
    for (const name of [...names.slice(0, 4), ...group]) {
      const path = `${group.includes(name) ? "/settings" : ""}/${name.toLowerCase().replace(" ", "-")}`;
      expect(await links.and(page.getByRole("link", { name, exact: true })).getAttribute("href")).toBe(path);
    }
    await page.getByRole("navigation", { name: "Main" }).getByText("Settings", { exact: true }).waitFor();
    await links.first().click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
    expect(await crumbs.allTextContents()).toEqual(["Dashboard"]);
  });

  test("the header shows a metered organisation's cost this month, the switcher, and the theme menu", async () => {
    const header = page.getByRole("banner");
    await header.getByText("This month: $0.00", { exact: true }).waitFor();
    await header.getByRole("button", { name: "Organisation: Harbour", exact: true }).waitFor();
    await header.getByRole("button", { name: "Theme" }).click();
    await expect.poll(() => page.getByRole("menuitemradio").allInnerTexts()).toEqual(["Light", "Dark", "System"]);
  });

  test("the user menu links to upgrade, account, billing, notifications and log out", async () => {
    const menu = page.getByRole("menuitem");
    const open = () => page.getByRole("button", { name: "RS, your account" }).click();
    await open();
    const named = ["Upgrade", "Account", "Billing", "Notifications", "Log out"];
    await expect.poll(async () => (await menu.allInnerTexts()).filter((name) => named.includes(name))).toEqual(named);
    expect(await page.getByRole("menuitem", { name: "Log out" }).getAttribute("href")).toBe("/logout");
    await page.keyboard.press("Escape");
    await expect.poll(() => menu.count()).toBe(0);
    for (const name of ["Upgrade", "Account", "Billing", "Notifications"]) {
      await open();
      await page.getByRole("menuitem", { name }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      expect(pathOf(page)).toBe(`/settings/${name.toLowerCase()}`);
    }
  });

  test("sounds switched off under Notifications stay silent, and the choice is stored", async () => {
    await moveTo(page, "/settings/notifications");
    await page.getByLabel("Dial pad keys").uncheck();
    await page.reload();
    expect(await page.getByLabel("Dial pad keys").isChecked()).toBe(false);
    expect(await page.getByLabel("Dialing, until the call is answered").isChecked()).toBe(true);
    const press = async () => {
      await page.goto("/calls");
      const key = page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "5" });
      await key.waitFor();
      await page.evaluate(() => {
        const { play } = HTMLMediaElement.prototype;
        Object.assign(window, { played: 0 });
        HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
          const isKey = /key-\d/.test(this.src);
          Object.assign(window, { played: Number(Reflect.get(window, "played")) + (isKey ? 1 : 0) });
          return play.call(this);
        };
      });
      await key.click();
      return page.evaluate(() => Number(Reflect.get(window, "played")));
    };
    expect(await press()).toBe(0);
    await moveTo(page, "/settings/notifications");
    await page.getByLabel("Dial pad keys").check();
    expect(await press()).toBe(1);
  });

  test("with no integrations only the New integration button shows", async () => {
    await moveTo(page, "/integrations");
    await page.getByText("No CRM connected yet").waitFor();
    expect(await offers(page)).toEqual(["New integration"]);
    expect(await page.getByRole("table").count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "New integration" }).click();
    await page.waitForURL("**/integrations/new");
  });

  test("the integration form asks only Salesforce for a domain, and shows a spinner while sending", async () => {
    await moveTo(page, "/integrations/new");
    const service = page.getByRole("combobox", { name: "Service" });
    await service.click();
    await expect.poll(() => page.getByRole("option").allInnerTexts()).toEqual(["Salesforce", "Podio", "HubSpot"]);
    await page.getByRole("option", { name: "Salesforce" }).click();
    await page.getByLabel("Workspace domain").waitFor();
    await service.click();
    await page.getByRole("option", { name: "Podio" }).click();
    await page.getByLabel("Workspace domain").waitFor({ state: "detached" });
    const submit = page.getByRole("button", { name: "Add integration" });
    expect(await submit.isDisabled()).toBe(false);
    await service.click();
    await page.getByRole("option", { name: "Salesforce" }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Projects");
    await page.getByLabel("Workspace domain").fill("acme.my.salesforce.com");
    const { promise: maySend, resolve: letSend } = Promise.withResolvers<void>();
    await page.route("**/api/v1/integrations", async (route) => {
      if (route.request().method() === "POST") await maySend;
      await route.continue();
    });
    await submit.click();
    await expect.poll(() => submit.getAttribute("aria-busy")).toBe("true");
    letSend();
    await page.waitForURL("**/integrations");
    const row = page.getByRole("row").filter({ hasText: "Projects" });
    await row.getByText("Inactive").waitFor();
    expect(await row.getByRole("button").allInnerTexts()).toContain("Connect");
    expect(await row.getByRole("button", { name: "Sync" }).count()).toBe(0);
  });

  test("the callback posts code and integrationId, and shows 'Salesforce callback' while it waits", async () => {
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    const posted: unknown[] = [];
    await page.route("**/api/v1/integrations/salesforce/callback", async (route) => {
      posted.push(route.request().postDataJSON());
      await mayAnswer;
      await route.continue();
    });
    await page.goto("/integrations/salesforce/callback?code=a-code&state=a-state");
    await page.getByRole("heading", { name: "Salesforce callback", exact: true }).waitFor();
    letAnswer();
    await page.getByText("Failure, redirecting... ").waitFor();
    expect(posted).toEqual([{ code: "a-code", integrationId: "a-state" }]);
    await page.unrouteAll({ behavior: "wait" });
  });

  test("an empty list of leads only offers to add one, and a full one has its columns below its title", async () => {
    await chooseScreen(page, "Leads");
    await page.getByText("No leads yet").waitFor();
    expect(await offers(page)).toEqual(["New lead"]);
    await page.getByRole("link", { name: "New lead" }).click();
    await page.getByRole("link", { name: "Import a CSV file" }).click();
    await page.waitForURL("**/leads/import");
    const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
    await ask("/v1/leads", { body: lead, token: person.token });
    await page.goto("/leads");
    await page.getByRole("heading", { level: 1, name: "Leads", exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "Stone" }).waitFor();
    const every = ["ID", "First name", "Last name", "Email", "Phone", "Status", "Actions"];
    expect(await columns(page)).toEqual(isNarrow(page) ? ["Lead", "Actions"] : every);
    await page.getByRole("button", { name: "Actions for Bob Stone" }).click();
    await expect.poll(() => page.getByRole("menuitem").allInnerTexts()).toEqual(["View", "Call", "Edit", "Delete"]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    await page.getByRole("link", { name: "New lead" }).click();
    await page.waitForURL("**/leads/new");
  });

  test("an organisation is created with its form and is in the table with its actions", async () => {
    await chooseScreen(page, "Organisations");
    await page.getByRole("link", { name: "New organisation" }).click();
    await page.waitForURL("**/settings/organisations/new");
    await page.getByRole("button", { name: "Create organisation" }).click();
    await page.getByText("Name must be at least 2 characters.", { exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Quay");
    await page.getByRole("button", { name: "Create organisation" }).click();
    await page.waitForURL("**/settings/organisations");
    await page.getByRole("row").filter({ hasText: "Quay" }).waitFor();
    const every = ["ID", "Name", "Description", "Website", "Actions"];
    await expect.poll(() => columns(page)).toEqual(isNarrow(page) ? ["Name", "Actions"] : every);
    await page.getByRole("button", { name: "Actions for Harbour" }).click();
    await expect
      .poll(() => page.getByRole("menuitem").allInnerTexts())
      .toEqual(["Switch to it", "Edit", "Members", "Leave…", "Delete…"]);
    await page.getByRole("menuitem", { name: "Switch to it" }).click();
    await page.getByText("Switched to Harbour.").waitFor();
  });

  test("a number for sale shows by icons whether it takes voice, SMS, MMS and fax", async () => {
    const answered = page.waitForResponse((response) => response.url().includes("/phone-numbers/available"));
    await moveTo(page, "/settings/phone-numbers/assign");
    const offered: AvailableNumber[] = await (await answered).json();
    const rows = page.locator("tbody tr").filter({ has: page.getByRole("button", { name: /^Buy \+/ }) });
    await expect.poll(() => rows.count()).toBe(offered.length);
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => {
        const icons = [...row.querySelectorAll("[role=img]")].filter((icon) => icon.checkVisibility());
        return [...icons.map((icon) => icon.ariaLabel), row.querySelector("td:nth-last-child(2)")?.textContent];
      }),
    );
    const can = [
      ["voice", "Voice"],
      ["sms", "SMS"],
      ["mms", "MMS"],
      ["fax", "Fax"],
    ] as const;
    expect(shown).toEqual(
      offered.map(({ capabilities, monthlyCost }) => [
        ...can.filter(([capability]) => capabilities[capability]).map(([, word]) => word),
        `$${(monthlyCost / 1_000_000).toFixed(2)}`,
      ]),
    );
    expect(await page.getByRole("button", { name: "Search", exact: true }).count()).toBe(1);
    expect(await page.getByLabel("Search by digits or area code", { exact: true }).count()).toBe(1);
  });

  test("the dial pad's number is a text field with the placeholder 'Phone number'", async () => {
    await chooseScreen(page, "Calls");
    const field = page.getByRole("main").getByPlaceholder("Phone number", { exact: true });
    await field.fill("+1 202 555 0100");
    expect(await field.evaluate((input) => input.tagName)).toBe("INPUT");
    expect(await field.inputValue()).toBe("+1 202 555 0100");
  });

  test("missed inbound calls have their own list, which says why it is empty", async () => {
    await openCallLists(page);
    await page.getByRole("tab").first().waitFor();
    const tabs = (await page.getByRole("tab").allInnerTexts()).join(", ");
    expect(tabs).toBe("Recent, Missed, Voicemail, Not reached, Call back");
    await page.getByRole("tab", { name: "Missed" }).click();
    await page.getByText("No missed calls").waitFor();
  });

  test("the phone refuses to call a lead on the do-not-call list, with a message, until that is undone", async () => {
    const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
    const lead = await ask("/v1/leads", { body: bob, token: person.token });
    await page.goto(`/leads/${lead.id}`);
    await page.getByRole("button", { name: "More for Bob Stone" }).click();
    await page.getByRole("menuitem", { name: "Do not call" }).click();
    await page.getByText("+1 202 555 0100 added to the do-not-call list.").waitFor();
    await page.getByRole("region", { name: "Details" }).getByText("Do not call").waitFor();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const refusal = page.getByRole("alertdialog", { name: "Failed to start call" });
    expect(await refusal.textContent()).toContain("+1 202 555 0100 is on your organisation’s do-not-call list");
    await refusal.getByRole("button", { name: "OK" }).click();

    await page.goto("/settings/do-not-call");
    await page.getByLabel("Add a number").fill("12");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText(/“12” is not a phone number/).waitFor();
    await page.getByRole("button", { name: "Allow again +1 202 555 0100" }).click();
    await page.getByText("No blocked numbers").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "Bob Stone" }).waitFor();
  });

  test("the rows of calls link to calling back, a note and the lead, and a search by name finds them", async () => {
    const { callSid } = await ask("/v1/calls", { body: { phoneNumber: "+12025550102" }, token: person.token });
    await ask(`/v1/calls/${callSid}/hang-up`, { method: "POST", token: person.token });
    const lead = { firstName: "Ann", lastName: "Field", email: "ann@field.example", phone: "+12025550102" };
    await ask("/v1/leads", { body: lead, token: person.token });
    await openCallLists(page);
    const rows = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel("Find by name, number or note").fill("nobody");
    await page.getByText("No calls match “nobody”").waitFor();
    await page.getByLabel("Find by name, number or note").fill("field");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("button", { name: "Actions for the call with Ann Field" }).click();
    await expect
      .poll(() => page.getByRole("menuitem").allInnerTexts())
      .toEqual(["Call again", "Note…", "Do not call", "Open lead"]);
    await page.getByRole("menuitem", { name: "Open lead" }).click();
    await page.waitForURL(/\/leads\/[\w-]{36}$/);
  });

  test("a user without an organisation sees how to create one in place of calls", async () => {
    const alone = await openProfile(browser, look);
    const inside = await openAs(alone, await signUp(inject("appAddress")), "/calls");
    await inside.getByText("You need to be part of an organisation to use this feature.", { exact: true }).waitFor();
    expect(await offers(inside)).toEqual(["Create organisation"]);
    await inside.getByRole("link", { name: "Create organisation" }).click();
    await inside.waitForURL("**/settings/organisations/new");
    await inside.goto("/settings/outcomes");
    await inside.getByText("You need to be part of an organisation to use this feature.", { exact: true }).waitFor();
    await inside.goto("/settings/organisations");
    await inside.getByText("You’re not in an organisation yet").waitFor();
    expect(await offers(inside)).toEqual(["New organisation"]);
    await alone.close();
  });
});
