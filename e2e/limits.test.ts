import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { askAt, openAs, signUp } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks, openCallLists } from "./support/looks.ts";
import { openProfile } from "./support/people.ts";

const address = inject("appAddress");
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Presses Enter once this option is marked among the matches. */
async function pressEnterOn(page: Page, name: string): Promise<void> {
  await page.getByRole("option", { name, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

inBothLooks((look) => {
  test("an admin's limits decide where calls go, and the statement lists the day's", async () => {
    const person = await signUp(address, { organisation: "Buoy" });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/calls");
    await dial(page, "+4930901820");
    await page.getByText("Your organisation doesn’t allow calls to Germany.").waitFor();
    const refusal = page.getByRole("alertdialog");
    // Enter has just placed the call, and must not press OK as well.
    await expect.poll(() => refusal.locator(":focus").textContent()).toBe("OK");
    await refusal.getByRole("link", { name: "Open Limits" }).click();
    await page.waitForURL("**/settings/limits");
    await page.getByLabel("Allowed countries", { exact: true }).first().click();
    await page.getByPlaceholder("Search countries").fill("germany");
    await pressEnterOn(page, "Germany");
    await page.getByLabel("Spending per day").fill("12.5");
    await page.getByRole("button", { name: "Save changes" }).click();
    const question = page.getByRole("dialog", { name: "Confirm it’s you" });
    await question.getByText("Enter your password to raise or remove a limit.").waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByLabel("Your password").fill("not my password");
    await page.keyboard.press("Enter");
    await question.getByText("Incorrect current password.").waitFor();
    await question.getByLabel("Your password").fill(person.password);
    await page.keyboard.press("Enter");
    await page.getByText("Limits saved.").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Remove Germany" }).waitFor();
    expect(await page.getByLabel("Spending per day").inputValue()).toBe("12.5");
    await page
      .getByRole("listitem")
      .filter({ hasText: "+49 30 901820" })
      .getByText(/doesn’t allow calls to/)
      .waitFor();
    await page.getByRole("button", { name: "Change limits of Robin Sounder" }).click();
    const own = page.getByRole("dialog", { name: "Limits of Robin Sounder" });
    await own.getByLabel("Spending per day").fill("20");
    await own.getByRole("button", { name: "Save changes" }).click();
    await own.getByText("A member’s limit can’t be wider than the organisation’s.").waitFor();
    expect(await findings(page)).toEqual([]);
    await own.getByLabel("Spending per day").fill("10");
    await own.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("region", { name: "Limits of members" }).getByText(/\$10/).waitFor();
    expect(await findings(page)).toEqual([]);

    await page.goto("/calls");
    await dial(page, "+4930901820");
    await untilAnswered(page);
    await hangUp(page);
    await page.goto("/settings/billing");
    const rows = page.getByRole("region", { name: /^Calls by day/ }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download calls" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^calls-\d{4}-\d\d\.csv$/);
  });

  test("the warning before a limit ends a call is in view, moves no key and covers neither the header nor Hang up", async () => {
    const person = await signUp(address, { organisation: "Ebb" });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/calls");
    await dial(page, "+12025550100");
    await untilAnswered(page);
    const boxOf = async (shown: Locator) => (await shown.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const key = page.getByRole("button", { name: "5", exact: true });
    const before = await boxOf(key);
    await askAt(address, "/v1/limits", { method: "PUT", token: person.token, body: { callMinutes: 2 } });
    const warning = page.getByRole("status", { name: "This call is about to end" });
    await warning.waitFor();
    expect(await boxOf(key)).toEqual(before);
    for (const isScrolled of [false, true]) {
      if (isScrolled) await page.mouse.wheel(0, 1_000);
      const { y, height } = await boxOf(warning);
      const header = await boxOf(page.getByRole("banner"));
      expect(y).toBeGreaterThanOrEqual(header.y + header.height);
      expect(y + height).toBeLessThanOrEqual((await boxOf(page.getByRole("button", { name: "Hang up" }))).y);
    }
    expect(await findings(page)).toEqual([]);
    await hangUp(page);
  });

  test("a call outside the callee’s calling hours takes a reason, which the log shows", async () => {
    const person = await signUp(address, { organisation: "Midnight" });
    const { activeOrganisation } = await askAt(address, "/v1/users/me", { token: person.token });
    const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
    const callingHours = [{ day: days[(new Date().getUTCDay() + 3) % 7], opensAt: "09:00", closesAt: "09:01" }];
    const change = { method: "PUT", token: person.token, body: { callingHours } };
    await askAt(address, `/v1/organisations/${activeOrganisation.id}`, change);
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/calls");
    await dial(page, "+12025550100");
    const question = page.getByRole("alertdialog", { name: "Call outside calling hours?" });
    await question.getByText(/where this number is \(New York\), outside your calling hours/).waitFor();
    await question.getByRole("button", { name: "Call anyway" }).click();
    await question.getByText("Enter a reason.").waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByLabel("Reason").fill("They asked for this time");
    await page.keyboard.press("Enter");
    await untilAnswered(page);
    await hangUp(page);
    await openCallLists(page);
    await page.getByText("Outside hours: They asked for this time").first().waitFor();
  });
});
