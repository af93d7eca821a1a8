import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, signUp } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function confirm(page: Page, password: string): Promise<void> {
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
}

inBothLooks((look) => {
  test("an owner erases a lead after reading what goes and what stays", async () => {
    const owner = await newPerson();
    const lead = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100" };
    const { id } = await ask("/v1/leads", { body: lead, token: owner.token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), owner, `/leads/${id}`);
    await page.getByRole("button", { name: "More for Ada Stone" }).click();
    await page.getByRole("menuitem", { name: "Erase…" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase Ada Stone for good?" });
    await dialog.getByText("without number, name and note").waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Erase for good" }).click();
    await confirm(page, owner.password);
    await page.getByText("Ada Stone is erased.").waitFor();
    await page.waitForURL("**/leads");
    await page.goto("/settings/audit-log");
    await page.getByText("Lead erased by Robin Sounder").waitFor();
    expect(await page.getByText("ada@stone.example").count()).toBe(0);
    await page.goto(`/leads/${id}`);
    await page.getByText("Lead not found").waitFor();
  });

  test("a person downloads their data and deletes their account, unless an organisation would be left without an owner", async () => {
    const owner = await newPerson();
    const owned = await openAs(await openProfile(browser, look), owner, "/settings/account");
    await owned.getByRole("button", { name: "Delete account…" }).click();
    await owned.getByRole("button", { name: "Delete account", exact: true }).click();
    await owned.getByText("You’re the only owner of “Harbour”.").waitFor();

    const person = await signUp(inject("appAddress"));
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/settings/account");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download my data" }).click();
    expect((await download).suggestedFilename()).toBe("my-data.zip");
    await page.getByRole("button", { name: "Delete account…" }).click();
    await page.getByText("as those of a former member").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete account", exact: true }).click();
    await confirm(page, person.password);
    await page.waitForURL((url) => !url.pathname.startsWith("/settings"));
    await page.goto("/login");
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Incorrect email or password.").waitFor();
  });
});
