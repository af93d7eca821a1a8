import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { connectCrm } from "./support/connect-crm.ts";
import { inBothLooks, isNarrow } from "./support/looks.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const number = "+12025550101";

async function openLists(page: Page): Promise<void> {
  await page.goto("/calls");
  if (isNarrow(page)) await page.getByRole("button", { name: "Recent calls" }).click();
}

inBothLooks((look) => {
  test("a call to a number that two leads share waits under To sort until the rep chooses a lead, then is logged in the CRM", async () => {
    const person = await newPerson();
    const { token } = person;
    const [crm] = await ask("/v1/integrations/services", { token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/integrations");
    await connectCrm(page, { service: crm.name, label: "Harbour sales" });
    const [known] = await ask(`/v1/leads?search=${encodeURIComponent(number)}`, { token });
    const body = { firstName: "Robin", lastName: "Other", email: "robin@other.example", phone: number };
    await ask("/v1/leads", { token, body });

    await openLists(page);
    await page.getByText("No calls yet").waitFor();
    expect(await page.getByRole("tab", { name: /To sort/ }).count()).toBe(0);
    if (isNarrow(page)) await page.keyboard.press("Escape");
    await dial(page, number);
    await untilAnswered(page);
    await hangUp(page);
    await openLists(page);
    await page.getByRole("tab", { name: "To sort 1 call" }).click();
    const list = page.getByRole("tabpanel").getByRole("list", { name: "Calls" });
    await list.getByText(/^Several leads have this number\./).waitFor();
    expect(await findings(page)).toEqual([]);
    const name = `${known.firstName} ${known.lastName}`;
    await list.getByRole("button", { name, exact: true }).click();
    await page.getByText(`Calls with this number now belong to ${name}.`).waitFor();
    await page.getByText("Nothing to sort").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("tab", { name: "Recent" }).click();
    await page
      .getByRole("link", { name: `Logged in ${crm.name}` })
      .first()
      .waitFor();
    expect(await page.getByRole("tab", { name: /To sort/ }).count()).toBe(0);
  });

  test("a call is logged once its disconnected CRM is connected again", async () => {
    const person = await newPerson();
    const [crm] = await ask("/v1/integrations/services", { token: person.token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/integrations");
    await connectCrm(page, { service: crm.name, label: "Harbour sales" });
    const row = page.getByRole("row").filter({ hasText: "Harbour sales" });
    await row.getByRole("button", { name: "Actions for Harbour sales" }).click();
    await page.getByRole("menuitem", { name: "Disconnect" }).click();
    const question = page.getByRole("dialog", { name: "Disconnect Harbour sales?" });
    await question.waitFor();
    expect(await findings(page)).toEqual([]);
    await question.getByRole("button", { name: "Disconnect" }).click();
    await row.getByText("Inactive").waitFor();

    await page.goto("/calls");
    await dial(page, number);
    await untilAnswered(page);
    await hangUp(page);
    await openLists(page);
    await page.getByText(`Waiting to be logged in ${crm.name}.`).first().waitFor();

    await page.goto("/integrations");
    await row.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("link", { name: "Go now" }).click();
    await row.getByText("Active", { exact: true }).waitFor();
    await openLists(page);
    await page
      .getByRole("link", { name: `Logged in ${crm.name}` })
      .first()
      .waitFor();
  });
});
