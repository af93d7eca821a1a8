import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { giveFirstOwnersLeadsTo } from "./support/give-first-owners-leads-to.ts";
import { addIntegration } from "./support/connect-crm.ts";
import { callAndOpenRecord } from "./support/call-and-open-record.ts";
import { chooseScreen, inBothLooks, isNarrow } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";
import { mapNextStep } from "./support/map-next-step.ts";
import { watchProgress } from "./support/watch-progress.ts";
import { timeRedirect } from "./support/time-redirect.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const progressWords: unknown = expect.stringMatching(/^(Starting to sync|\d+ of 250 leads)$/);
const sandboxDomain = "sandbox.leadline.test";

function expectFiveSeconds(ms: number): void {
  expect(ms).toBeGreaterThan(4_500);
  expect(ms).toBeLessThan(9_000);
}

inBothLooks((look) => {
  test("a new user adds Salesforce, allows access on the consent page, and syncs the sandbox's leads", async () => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/dashboard");
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));

    await chooseScreen(page, "Integrations");
    await page.getByText("No CRM connected yet").waitFor();
    await page.getByRole("link", { name: "New integration" }).click();
    await page.getByRole("button", { name: "Add integration" }).click();
    await page.getByText("Please select a service.", { exact: true }).waitFor();
    await page.getByText("Label must be at least 2 characters.", { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Service" }).click();
    await page.getByRole("option", { name: "Salesforce" }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Harbour sales");
    await page.getByRole("button", { name: "Add integration" }).click();
    await page.getByText("Workspace domain is required.", { exact: true }).waitFor();
    await page.getByLabel("Workspace domain").fill("127.0.0.1");
    await page.getByRole("button", { name: "Add integration" }).click();
    await page.getByText(/That is not a workspace domain/).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Use the sandbox" }).click();
    await page.getByRole("button", { name: "Add integration" }).click();
    await page.waitForURL("**/integrations");

    const row = page.getByRole("row").filter({ hasText: "Harbour sales" });
    await row.waitFor();
    const headings = await page.getByRole("columnheader").allTextContents();
    const every = ["ID", "Label", "Service", "Workspace Domain", "Status", "Actions"];
    expect(headings).toEqual(isNarrow(page) ? ["Label", "Status", "Actions"] : every);
    expect(await page.locator("caption").innerText()).toBe("A list of your CRM integrations.");
    await page.getByRole("link", { name: "New integration", exact: true }).waitFor();
    expect(await row.textContent()).toMatch(new RegExp(`Salesforce${sandboxDomain}Inactive`));
    const redirect = await timeRedirect(page, { words: "Success! Redirecting...", path: "/integrations" });
    await row.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("heading", { name: "Allow Leadline to access your CRM?" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Success! Redirecting...", exact: true }).waitFor();
    // The response works once, so it is removed from the address bar.
    await expect.poll(() => new URL(page.url()).search).toBe("");
    if (isNarrow(page)) {
      await page.reload();
      await page.getByRole("heading", { name: "Success! Redirecting...", exact: true }).waitFor();
    }
    // Waiting for the redirect is tested once.
    if (isNarrow(page)) await page.getByRole("link", { name: "Go now" }).click();
    else expectFiveSeconds(await redirect.shownMs());

    await row.getByText("Active").waitFor();
    const progress = await watchProgress(page);
    await row.getByRole("button", { name: "Sync", exact: true }).click();
    await page.locator("[data-sonner-toast]").getByText("Successfully synced leads.", { exact: true }).waitFor();
    await row.getByText(/^Synced /).waitFor();
    expect(await progress.seen()).toContainEqual(progressWords);
    expect(await findings(page)).toEqual([]);
    const [integration] = await ask("/v1/integrations", { token: person.token });
    expect(integration.lastSync).toMatchObject({ status: "completed", read: 250, created: 250, failed: 0 });
    expect(await ask("/v1/leads?limit=200", { token: person.token })).toHaveLength(200);

    await row.getByRole("button", { name: "Actions for Harbour sales" }).click();
    await page.getByRole("menuitem", { name: "Recent syncs" }).click();
    const runs = page.getByRole("dialog", { name: "Recent syncs" });
    await runs.getByRole("cell", { name: "250" }).first().waitFor();
    // The number of records read is the sum of the results.
    expect(await runs.getByRole("row").last().getByRole("cell").allInnerTexts()).toEqual([
      expect.any(String),
      "Done",
      "250",
      "250",
      "0",
      "0",
      "0",
      "0",
    ]);
    expect(await findings(page)).toEqual([]);
    await runs.getByRole("link").click();
    await page.getByRole("heading", { name: "Sync of Harbour sales" }).waitFor();
    await page.getByRole("definition").filter({ hasText: "Done" }).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await chooseScreen(page, "Leads");
    await expect.poll(() => page.getByRole("main").getByRole("row").count()).toBeGreaterThan(8);

    await callAndOpenRecord(page, person, "Salesforce");
    await mapNextStep(page, person, "Harbour sales");
    expect(faults).toEqual([]);
  });
});

test("a person who denies access is told so and redirected after five seconds; labels can be changed and integrations removed", async () => {
  const narrow = { viewport: { width: 375, height: 740 }, colorScheme: "dark" as const, bypassCSP: true };
  const page = await openAs(await openProfile(browser, narrow), await newPerson(), "/integrations");
  await addIntegration(page, { service: "Salesforce", label: "Trial" });
  const redirect = await timeRedirect(page, { words: "Failure, redirecting... ", path: "/integrations" });
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByText("Failure, redirecting... ").waitFor();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Failure, redirecting... ");
  await page.getByText("Access to Salesforce was denied. Nothing has changed.").waitFor();
  expect(await findings(page)).toEqual([]);
  expectFiveSeconds(await redirect.shownMs());

  await page.getByRole("button", { name: "Actions for Trial" }).click();
  await page.getByRole("menuitem", { name: "Edit label" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("Second try");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Actions for Second try" }).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove Second try?" }).getByRole("button", { name: "Remove" }).click();
  await page.getByText("No CRM connected yet").waitFor();
});

test("a made-up state connects nothing", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/integrations");
  await addIntegration(page, { service: "Salesforce", label: "Forged" });
  await page.goto(`/integrations/salesforce/callback?code=stolen&state=${crypto.randomUUID()}.proof`);
  await page.getByText("Failure, redirecting... ").waitFor();
  await page.getByText(/Select Connect to start again/).waitFor();
  await page.getByRole("link", { name: "Go now" }).click();
  const row = page.getByRole("row").filter({ hasText: "Forged" });
  await row.waitFor();
  expect(await row.textContent()).toContain("Inactive");
});

test("a new user connects the HubSpot sandbox, syncs it, finds a lead, and finds a call there", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser, { bypassCSP: true }), person, "/integrations");
  await page.getByRole("link", { name: "New integration" }).click();
  await page.getByRole("combobox", { name: "Service" }).click();
  await page.getByRole("option", { name: "HubSpot" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("Contacts");
  expect(await page.getByLabel("Workspace domain").count()).toBe(0);
  await page.getByRole("button", { name: "Use the sandbox" }).click();
  await page.getByText("Using the sandbox").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Add integration" }).click();
  const row = page.getByRole("row").filter({ hasText: "Contacts" });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("heading", { name: "Allow Leadline to access your CRM?" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL("**/integrations/hubspot/callback**");
  await page.getByText("Success! Redirecting...").waitFor();
  await page.getByRole("link", { name: "Go now" }).click();
  const progress = await watchProgress(page);
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await page.locator("[data-sonner-toast]").getByText("Successfully synced leads.", { exact: true }).waitFor();
  await row.getByText(/^Synced /).waitFor();
  expect(await progress.seen()).toContainEqual(progressWords);
  const [integration] = await ask("/v1/integrations", { token: person.token });
  expect(integration.lastSync).toMatchObject({ status: "completed", total: 250, created: 250, failed: 0 });
  // Mapping is optional here.
  await page.getByRole("button", { name: "Actions for Contacts" }).click();
  await page.getByRole("menuitem", { name: "Map fields" }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Company" }).innerText()).toBe("Company Name");
  await page.getByRole("combobox", { name: "In Progress" }).click();
  await page.getByRole("option", { name: "Nurturing" }).click();
  await page.getByRole("button", { name: "Add a field" }).click();
  await page.getByPlaceholder("Search fields").fill("lifecycle");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove Lifecycle Stage" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await expect
    .poll(async () => (await ask("/v1/leads?status=Nurturing&limit=1", { token: person.token })).length)
    .toBe(1);
  await giveFirstOwnersLeadsTo(page, person);
  const all = await ask("/v1/leads?limit=200", { token: person.token });
  const shown = all.find(({ customFields }: { customFields: object[] }) => customFields.length > 0);
  await page.goto(`/leads/${shown.id}`);
  await page.getByRole("region", { name: "Details" }).getByText("Lifecycle Stage").waitFor();

  const [known] = await ask("/v1/leads?limit=1", { token: person.token });
  await chooseScreen(page, "Leads");
  await page.getByLabel("Search leads").fill(`${known.firstName} ${known.lastName}`);
  await page
    .getByRole("row")
    .filter({ hasText: known.email || known.lastName })
    .first()
    .waitFor();
  await page.getByLabel("Search leads").fill("Nobody of that name");
  await page.getByRole("row").filter({ hasText: known.lastName }).first().waitFor({ state: "detached" });
  await callAndOpenRecord(page, person, "HubSpot");

  await chooseScreen(page, "Integrations");
  await page.getByRole("button", { name: "Actions for Contacts" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove Contacts?" }).getByRole("button", { name: "Remove" }).click();
  await page.getByText("No CRM connected yet").waitFor();
});

test("a new user connects the Podio sandbox, chooses the app and its fields, syncs it, finds a lead, and finds a call there", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser, { bypassCSP: true }), person, "/integrations");
  await addIntegration(page, { service: "Podio", label: "Our board" });
  const row = page.getByRole("row").filter({ hasText: "Our board" });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("heading", { name: "Allow Leadline to access your CRM?" }).waitFor();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL("**/integrations/podio/callback**");
  await page.getByText("Next, choose where its leads are.").waitFor();
  await page.getByRole("link", { name: "Go now" }).click();

  await page.getByText("Choose where your leads are in Podio to sync them.").waitFor();
  expect(await row.getByRole("button", { name: "Sync", exact: true }).count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await row.getByRole("link", { name: "Choose source" }).click();
  const source = page.getByRole("combobox", { name: "Source" });
  await expect.poll(() => source.innerText()).toBe("Leads");
  await source.click();
  await page.getByRole("option", { name: "Inventory" }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Full name" }).innerText()).toBe("Name");
  await source.click();
  await page.getByRole("option", { name: "Leads" }).click();
  const choices = async () => {
    const names = ["Full name", "First name", "Last name", "Email", "Phone", "Status"];
    return Promise.all(names.map((name) => page.getByRole("combobox", { name, exact: true }).innerText()));
  };
  await expect.poll(choices).toEqual(["Nothing", "First name", "Last name", "Email", "Phone", "Status"]);
  expect(await findings(page)).toEqual([]);
  for (const name of ["First name", "Last name"]) {
    await page.getByRole("combobox", { name, exact: true }).click();
    await page.getByRole("option", { name: "Nothing" }).click();
  }
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Choose where the name comes from.").waitFor();
  await page.getByRole("combobox", { name: "Full name" }).click();
  await page.getByRole("option", { name: "Company" }).click();
  await page.getByRole("combobox", { name: "Contacted" }).click();
  await page.getByRole("option", { name: "Nurturing" }).click();
  await page.getByRole("button", { name: "Save" }).click();

  const progress = await watchProgress(page);
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await row.getByText(/^Synced /).waitFor();
  expect(await progress.seen()).toContainEqual(progressWords);
  const [integration] = await ask("/v1/integrations", { token: person.token });
  expect(integration).toMatchObject({
    mapping: { sourceName: "Leads" },
    lastSync: { status: "completed", total: 250, created: 250, failed: 0 },
  });
  expect(await ask("/v1/leads?status=Nurturing&limit=1", { token: person.token })).toHaveLength(1);
  expect(await ask("/v1/leads?status=Working&limit=1", { token: person.token })).toEqual([]);
  const [known] = await ask("/v1/leads?limit=1", { token: person.token });
  await chooseScreen(page, "Leads");
  await page.getByLabel("Search leads").fill(`${known.firstName} ${known.lastName}`);
  await page.getByRole("row").filter({ hasText: known.lastName }).first().waitFor();
  await callAndOpenRecord(page, person, "Podio");
});
