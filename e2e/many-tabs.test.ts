import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function openTabs(context: BrowserContext, person: Person, count: number): Promise<Page[]> {
  const pages = [await openAs(context, person)];
  while (pages.length < count) {
    const page = await context.newPage();
    await page.goto("/calls");
    pages.push(page);
  }
  return pages;
}

const isReady = (page: Page) => page.getByTestId("phone-status").getByText("Ready").waitFor();
const isHeard = async (page: Page) => loudness(await record(page, 500).catch(() => new Float32Array(1))) > 0.01;

test("with seven tabs open, the seventh places a call and hears it, and every other one shows its state", async () => {
  const pages = await openTabs(await openProfile(browser), await newPerson(), 7);
  const [first, last] = [pages[0] as Page, pages[6] as Page];
  await isReady(last);
  await dial(last, "+12025550100");
  await untilAnswered(last);
  await expect.poll(() => isHeard(last)).toBe(true);
  for (const page of pages.slice(0, 6)) await untilAnswered(page);

  // Whichever tab has the stream, another takes over when it is closed.
  await first.close();
  await (pages[1] as Page).close();
  await last.getByRole("button", { name: "Mute", exact: true }).first().click();
  for (const page of pages.slice(2, 6)) await page.getByText("Muted", { exact: true }).first().waitFor();
  await hangUp(last);
  for (const page of pages.slice(2, 6)) expect(await endedSentence(page)).toBe("You hung up.");
});

test("seven tabs follow a switch of organisation in one of them, and are signed out with it", async () => {
  const person = await newPerson();
  await ask("/v1/organisations", { token: person.token, body: { name: "Shipyard" } });
  const pages = await openTabs(await openProfile(browser), person, 7);
  const last = pages[6] as Page;
  for (const page of pages) await page.getByRole("button", { name: "Organisation: Shipyard" }).waitFor();
  await last.getByRole("button", { name: "Organisation: Shipyard" }).click();
  await last.getByRole("menuitemradio", { name: "Harbour" }).click();
  for (const page of pages) await page.getByRole("button", { name: "Organisation: Harbour" }).waitFor();
  await dial(last, "+12025550100");
  for (const page of pages) await untilAnswered(page);
  await hangUp(last);
  await last.goto("/logout");
  for (const page of pages) await page.waitForURL((url) => ["/", "/login"].includes(url.pathname));
  expect(await last.evaluate(() => localStorage.getItem("leadline.refresh-token"))).toBeNull();
});
