import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { chooseScreen, inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

inBothLooks((look) => {
  test("an owner finds a change in the audit log, keeps the filter in the address, exports it, and sets its retention time", async () => {
    const owner = await newPerson();
    const lead = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100" };
    const { id } = await ask("/v1/leads", { body: lead, token: owner.token });
    await ask(`/v1/leads/${id}`, { method: "PUT", body: { company: "Quay Ltd" }, token: owner.token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), owner, "/dashboard");
    await chooseScreen(page, "Audit log");
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    const entries = page.getByRole("list", { name: "Changes" });
    const changed = entries.getByText("Lead updated by Robin Sounder");
    await changed.waitFor();
    await entries.getByText("Lead Ada Stone changed").waitFor();
    expect(await entries.getByRole("definition").filter({ hasText: "Quay Ltd" }).textContent()).toContain("empty");
    await entries.getByText("Lead Ada Stone added").click();
    await entries.getByText("ada@stone.example").waitFor();
    expect(await findings(page)).toEqual([]);

    await page.getByLabel("Search").fill("quay");
    await page.waitForURL("**/settings/audit-log?search=quay");
    await entries.getByText("Lead created by Robin Sounder").waitFor({ state: "detached" });
    await page.reload();
    await changed.waitFor();
    expect(await page.getByLabel("Search").inputValue()).toBe("quay");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const lines = readFileSync(await (await download).path(), "utf8")
      .trim()
      .split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('"lead.updated","leads","Ada Stone"');

    await page.getByLabel("Action").click();
    await page.getByRole("option", { name: "Member removed" }).click();
    await page.getByText("No entries match").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await changed.waitFor();

    await page.getByRole("button", { name: "Change how long" }).click();
    const dialog = page.getByRole("dialog", { name: "Keep the audit log" });
    await dialog.getByLabel("Days").fill("20");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await dialog.getByText("Enter a whole number of days from 30 to 3,650.").waitFor();
    await dialog.getByLabel("Days").fill("90");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Entries are kept for 90 days").waitFor();
  });
});
