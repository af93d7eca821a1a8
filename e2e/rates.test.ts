import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks } from "./support/looks.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const upload = (page: Page, rows: readonly string[]) =>
  page.getByLabel("Import a CSV").setInputFiles({
    name: "prices.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`Prefix,Price per minute (USD),Destination,Increment\n${rows.join("\n")}\n`),
  });

inBothLooks((look) => {
  test("an owner imports a price list after correcting it, adds a margin, exports it, and the pad shows the price", async () => {
    const person = await newPerson();
    // Nothing is called: a trunk with this user is this organisation’s alone.
    const settings = { host: "192.0.2.7", authentication: "digest", user: randomUUID(), password: "unused" };
    await ask("/v1/carriers", { body: { kind: "sip-trunk", label: "Quay Telecom", settings }, token: person.token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/settings/carriers");
    await page.getByRole("button", { name: "Actions for Quay Telecom" }).click();
    await page.getByRole("menuitem", { name: "Rates" }).click();
    await page.getByRole("heading", { level: 1, name: "Rates of Quay Telecom" }).waitFor();
    await page.getByText("No rates yet").waitFor();
    expect(await findings(page)).toEqual([]);

    await upload(page, ["44,0.02,United Kingdom,30/6", "49,cheap,Germany,60/60"]);
    await page
      .getByText("“prices.csv” can’t be imported. Row 3: “cheap” is not a price. Nothing was imported.")
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByText("No rates yet").waitFor();
    await upload(page, ["44,0.02,United Kingdom,30/6", "49,0.031,Germany,60/60"]);
    await page.getByText("2 rates imported.").waitFor();
    const rows = page.getByRole("region", { name: "Rates" }).getByRole("row");
    await rows.filter({ hasText: "+49" }).getByText("$0.031/min").waitFor();

    await page.getByLabel("Margin in percent").fill("25");
    await page.getByRole("button", { name: "Save margin" }).click();
    await page.getByText("Margin saved.").waitFor();
    await page.getByLabel("Find by prefix or destination").fill("germany");
    await rows.filter({ hasText: "+44" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Change the rate for \+49/ }).click();
    const dialog = page.getByRole("dialog", { name: "Change the rate" });
    await dialog.getByLabel("Price per minute").fill("0.03");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save rate" }).click();
    // A cheaper rate loosens the spending limits.
    await page.getByLabel("Your password").fill(person.password);
    await page.keyboard.press("Enter");
    await rows.getByText("$0.03/min").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    expect(await findings(page)).toEqual([]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    expect(lines.slice(1).map((line) => line.replaceAll('"', "").split(",").slice(0, 3))).toEqual([
      ["44", "0.020000", "United Kingdom"],
      ["49", "0.030000", "Germany"],
    ]);

    await page.goto("/calls");
    await page.getByLabel("Phone number").pressSequentially("+442079460123");
    // $0.02 and a quarter of it.
    await page.getByText("$0.025/min").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
