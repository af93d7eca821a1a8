import type { CrmServiceDescription } from "@leadline/contract/integrations";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endedSentence, untilAnswered } from "../testing/dial.ts";
import { moveTo } from "./support/move-to.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { newCredentials, openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Presses Tab until the element has the focus, like a user without a mouse. */
async function tabTo(
  page: Page,
  role: "button" | "link" | "textbox" | "combobox",
  name: string | RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).first();
  await wanted.waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${String(name)} is not reached by Tab`);
}

test("a call is dialled, muted and ended by keyboard alone", async () => {
  const page = await openAs(await openProfile(browser), await newPerson());
  await page.getByText("Ready", { exact: true }).waitFor();
  await page.keyboard.type("+12025550108");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+1 202 555 0108");
  await page.keyboard.press("Enter");
  await untilAnswered(page);
  await page.keyboard.type("42");
  await expect.poll(() => page.getByLabel("Keys sent").inputValue()).toBe("42");
  await page.keyboard.press("Escape");
  await tabTo(page, "button", "Mute");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Unmute" }).waitFor();
  await tabTo(page, "button", "Hang up");
  await page.keyboard.press("Enter");
  expect(await endedSentence(page)).toBe("You hung up.");
  const note = page.getByRole("textbox", { name: "Note" });
  await note.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Wants 3 more");
  expect(await note.inputValue()).toBe("Wants 3 more");
});

test("shortcuts control a call on every page, and never from a field", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser), person);
  await page.getByText("Ready", { exact: true }).waitFor();
  await page.keyboard.type("+12025550100");
  await page.keyboard.press("Enter");
  await untilAnswered(page);
  const call = async () => (await ask("/v1/calls", { token: person.token }))[0];
  await page.keyboard.press("m");
  await expect.poll(async () => (await call()).muted).toBe(true);
  await page.getByRole("link", { name: "Leads" }).first().click();
  await page.getByRole("region", { name: "Current call" }).waitFor();
  await page.keyboard.press("h");
  await expect.poll(async () => (await call()).held).toBe(true);
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Note" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("mhtn E");
  expect(await call()).toMatchObject({ muted: true, held: true, status: "in-progress" });
  await page.getByRole("textbox", { name: "Note" }).blur();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Hang up").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+E");
  expect(await endedSentence(page)).toBe("You hung up.");
  await page.getByRole("textbox", { name: "Note" }).and(page.locator(":focus")).waitFor();
  expect((await call()).note).toBe("mhtn E");
});

test("a newcomer gets by keyboard alone from registering to a call's note and outcome in the log", async () => {
  const page = await (await openProfile(browser)).newPage();
  const { email, password } = newCredentials();
  const press = (key: string) => page.keyboard.press(key);
  const fill = async (name: string, text: string) => {
    await tabTo(page, "textbox", name);
    await page.keyboard.type(text);
  };
  await page.goto("/");
  await tabTo(page, "link", "Create an account");
  await press("Enter");
  await fill("First name", "Grace");
  await fill("Last name", "Hopper");
  await fill("Email", email);
  await fill("Password", password);
  await press("Enter");
  await page.getByText("Successfully registered! You can now login here:").waitFor();
  await tabTo(page, "link", "Login");
  await press("Enter");
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await fill("Email", email);
  await fill("Password", password);
  await press("Enter");
  await page.waitForURL("**/dashboard");

  await tabTo(page, "link", "Calls");
  await press("Enter");
  await page.getByText("You need to be part of an organisation to use this feature.").waitFor();
  await tabTo(page, "link", "Create organisation");
  await press("Enter");
  await page.waitForURL("**/settings/organisations/new");
  await fill("Name", "Harbour");
  await press("Enter");
  await page.waitForURL("**/settings/organisations");

  await tabTo(page, "link", "Calls");
  await press("Enter");
  await page.getByText("Ready", { exact: true }).waitFor();
  await tabTo(page, "combobox", "Phone number");
  await page.keyboard.type("+12025550100");
  await press("Enter");
  await untilAnswered(page);
  // From the keypad to the call's controls.
  await press("Escape");
  await tabTo(page, "button", "Mute");
  await press("Space");
  await page.getByRole("button", { name: "Unmute" }).waitFor();
  await tabTo(page, "button", "Hang up");
  await press("Enter");
  expect(await endedSentence(page)).toBe("You hung up.");

  await fill("Note", "Wants a quote");
  await page.getByText("Saved", { exact: true }).waitFor();
  await tabTo(page, "combobox", "Outcome");
  await press("Enter");
  await page.getByRole("option", { name: "Interested", exact: true }).waitFor();
  await page.keyboard.type("Interested");
  await press("Enter");
  await tabTo(page, "button", "Done");
  await press("Enter");
  await tabTo(page, "button", /Open the call with/);
  await press("Enter");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("textbox", { name: "Note" }).inputValue()).toBe("Wants a quote");
  expect(await dialog.getByRole("combobox", { name: "Outcome" }).innerText()).toBe("Interested");
  await press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
});

test("closing whatever a row's menu opened returns the focus to the menu's button", async () => {
  const person = await newPerson();
  const { token } = person;
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  const { email } = newCredentials();
  // Not one of the numbers that a concurrent test is about to buy.
  const [forSale] = await ask("/v1/phone-numbers/available?countryCode=CA", { token });
  const crms: CrmServiceDescription[] = await ask("/v1/integrations/services", { token });
  const crm = crms.find(({ sandboxDomain }) => sandboxDomain !== null);
  await Promise.all([
    ask("/v1/leads", { body: lead, token }),
    ask("/v1/invitations", { body: { email, role: "member" }, token }),
    ask("/v1/phone-numbers", { body: { number: forSale.number }, token }),
    ask("/v1/integrations", {
      body: { service: crm?.service, workspaceDomain: crm?.sandboxDomain, label: "Our CRM" },
      token,
    }),
  ]);
  const page = await openAs(await openProfile(browser), person, "/dashboard");
  for (const [path, row, ...items] of [
    ["/leads", "Bob Stone", "Edit", "Delete"],
    ["/settings/members", "Robin Sounder", "Leave…"],
    ["/settings/phone-numbers", /^\+1/, "Label…", "Release…"],
    ["/settings/members", `the invitation for ${email}`, "Withdraw…"],
    ["/settings/organisations", "Harbour", "Leave…", "Delete…"],
    ["/integrations", "Our CRM", "Edit label", "Recent syncs", "Remove"],
  ] as const) {
    await moveTo(page, path);
    const name = typeof row === "string" ? `Actions for ${row}` : /^Actions for \+1/;
    const button = page.getByRole("button", { name });
    for (const item of items) {
      await button.press("Enter");
      await page.getByRole("menuitem", { name: item }).press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.ariaLabel ?? ""), { message: `${path}: ${item}` })
        .toMatch(name);
    }
  }
});
