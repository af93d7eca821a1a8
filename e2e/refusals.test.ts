import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusedOnce } from "./support/cut-changes.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const choose = (page: Page, of: string, item: string) => async (): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${of}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const toast = (page: Page, text: string) => page.locator("[data-sonner-toast]").filter({ hasText: text });

inBothLooks((look) => {
  test("a refusal of an outcome or do-not-call entry is shown there until the next attempt", async () => {
    const person = await newPerson();
    const { token } = person;
    await ask("/v1/do-not-call", { body: { phoneNumber: "+12025550199" }, token });

    const page = await openAs(await openProfile(browser, look), person, "/settings/outcomes");
    const outcomes = page.getByRole("list", { name: "Outcomes" });
    const second = outcomes.getByRole("listitem").nth(1);
    const name = (await second.locator("span").first().textContent()) ?? "";
    const item = outcomes.getByRole("listitem").filter({ hasText: name });
    await refusedOnce(page, () => page.getByRole("button", { name: `Move ${name} up` }).click(), item);
    await expect.poll(() => outcomes.getByRole("listitem").first().textContent()).toContain(name);
    await refusedOnce(page, choose(page, name, "Remove"), item);
    await toast(page, "removed.").waitFor();

    await page.goto("/settings/do-not-call");
    await refusedOnce(page, () => page.getByRole("button", { name: /^Allow again/ }).click(), page.getByRole("table"));
    await page.getByText("No blocked numbers").waitFor();
    const undo = () => toast(page, "removed from the do-not-call list.").getByRole("button", { name: "Undo" }).click();
    await page.route("**/api/v1/do-not-call", (route) => route.abort());
    await undo();
    await page.getByRole("main").getByRole("alert").getByText("Can’t reach Leadline.").waitFor();
  });
});

test("a refusal of a callback or of a call in the log is shown at that row until the next attempt", async () => {
  const person = await newPerson();
  const { token } = person;
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@example.com", phone: "+12025550100" };
  await ask("/v1/leads", { body: { ...lead, followUpOn: "2126-01-05" }, token });
  await ask("/v1/calls", { body: { phoneNumber: "+12025550103" }, token });

  const page = await openAs(await openProfile(browser), person);
  const called = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
  await refusedOnce(page, choose(page, "the call with +1 202 555 0103", "Do not call"), called);
  await toast(page, "added to the do-not-call list").waitFor();

  await page.getByRole("tab", { name: "Call back" }).click();
  const due = page.getByRole("list", { name: "To call back" }).getByRole("listitem");
  await refusedOnce(page, () => page.getByRole("button", { name: "Mark Bob Stone as done" }).click(), due);
  await page.getByText("No callbacks due").waitFor();
  expect(await due.count()).toBe(0);
});
