import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks, isNarrow } from "./support/looks.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
/** The names in the rows, in order. */
const shown = async (page: Page) => {
  const texts = await page.getByRole("region", { name: "Leads", exact: true }).getByRole("row").allTextContents();
  return texts.flatMap((text) => /Ames|Bell|Cole/.exec(text)?.[0] ?? []);
};
async function untilShown(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => shown(page)).toEqual(names);
}

async function addLeads(token: string): Promise<void> {
  for (const [index, lastName] of ["Bell", "Ames", "Cole"].entries()) {
    const body = {
      firstName: "Robin",
      lastName,
      email: `${lastName}@leads.example`,
      phone: `+1202555010${index}`,
      company: `Firm ${3 - index}`,
    };
    await ask("/v1/leads", { body, token });
  }
}

async function chooseOption(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

inBothLooks((look) => {
  test("sorts a list, filters it by its URL, changes and deletes selected leads, and restores them after a reload", async () => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/leads");
    await page.getByText("No leads yet").waitFor();
    await addLeads(person.token);
    await page.reload();
    await untilShown(page, ["Cole", "Ames", "Bell"]);
    if (isNarrow(page)) await chooseOption(page, "Sort", "Company A–Z");
    else {
      await page.getByRole("button", { name: "Last name" }).click();
      await untilShown(page, ["Ames", "Bell", "Cole"]);
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("menuitemcheckbox", { name: "Company" }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Company" }).click();
    }
    await untilShown(page, ["Cole", "Ames", "Bell"]);

    await chooseOption(page, "Sort", "Oldest first");
    await untilShown(page, ["Bell", "Ames", "Cole"]);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Longest here");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const views = page.getByRole("button", { name: "Longest here" });
    await views.waitFor();
    await chooseOption(page, "Sort", "Newest first");
    await untilShown(page, ["Cole", "Ames", "Bell"]);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Longest here" }).click();
    await untilShown(page, ["Bell", "Ames", "Cole"]);
    await views.click();
    await page.getByRole("menuitem", { name: "Manage views…" }).click();
    await page.getByRole("checkbox", { name: "Shared Longest here" }).click();
    await expect.poll(async () => (await ask("/v1/lead-views", { token: person.token }))[0].shared).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await chooseOption(page, "Sort", "Newest first");
    await untilShown(page, ["Cole", "Ames", "Bell"]);
    expect(await findings(page)).toEqual([]);

    for (const name of ["Ames", "Bell"]) await row(page, name).getByRole("checkbox").check();
    const bar = page.getByRole("region", { name: "Chosen leads" });
    await bar.getByText("2 leads chosen").waitFor();
    expect(await findings(page)).toEqual([]);
    await bar.getByRole("button", { name: "Owner" }).click();
    await page.getByRole("menuitem", { name: "Robin Sounder" }).click();
    await bar.waitFor({ state: "detached" });
    await chooseOption(page, "Owner", "My leads");
    await untilShown(page, ["Ames", "Bell"]);
    await page.reload();
    await untilShown(page, ["Ames", "Bell"]);

    await page.getByRole("checkbox", { name: "Choose all shown leads" }).check();
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No lead matches these filters").waitFor();
    await page.reload();
    await page.getByText("2 leads deleted. You can undo this for 10 minutes.").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("main").getByRole("button", { name: "Undo" }).click();
    await untilShown(page, ["Ames", "Bell"]);

    await row(page, "Bell")
      .getByText(isNarrow(page) ? "+1 202" : "Bell@leads.example")
      .click();
    await page.getByRole("heading", { name: "Robin Bell" }).waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByRole("list", { name: "Timeline" }).getByText("Owner: from nothing to Robin Sounder").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goBack();
    await untilShown(page, ["Ames", "Bell"]);
  });
});
