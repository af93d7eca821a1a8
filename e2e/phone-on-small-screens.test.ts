import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, endedSentence, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const boxOf = (page: Page, name: string) => page.getByRole("button", { name }).first().boundingBox();

/** Between the page's header and its footer. */
async function isInView(page: Page, name: string): Promise<boolean> {
  const box = await boxOf(page, name);
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 56 && box.y + box.height <= height;
}

test("zoomed to 200 %, a call starts with its name and controls visible, and nothing moves without a network", async () => {
  // 1280 × 720 at 200 %.
  const context = await openProfile(browser, { viewport: { width: 640, height: 360 } });
  const page = await openAs(context, await newPerson());
  await dial(page, "+12025550100");
  await untilAnswered(page);
  for (const name of ["Mute", "Hold", "Transfer", "Hang up"]) expect(await isInView(page, name)).toBe(true);
  expect((await page.getByRole("timer", { name: "Call duration" }).boundingBox())?.y).toBeGreaterThan(56);
  const before = await boxOf(page, "Mute");
  await context.setOffline(true);
  await page.getByText("You’re offline. Leadline will reconnect").waitFor();
  expect(await boxOf(page, "Mute")).toEqual(before);
  await context.setOffline(false);
  await page.evaluate(() => scrollTo(0, 0));
  expect(await isInView(page, "Hang up")).toBe(true);
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Settings" }).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await isInView(page, "Hang up")).toBe(true);
});

/** Drags the handle, once the sheet has stopped moving. */
async function pullDown(page: Page, px: number): Promise<void> {
  const handle = page.getByTestId("sheet-handle");
  await handle.hover();
  const { x = 0, y = 0, width = 0, height = 0 } = (await handle.boundingBox()) ?? {};
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2 + px, { steps: 4 });
  await page.mouse.up();
}

test("the sheet with the call's note can be closed by its button or swiped down, and has its own Hang up", async () => {
  const context = await openProfile(browser, { viewport: { width: 375, height: 740 }, bypassCSP: true });
  const page = await openAs(context, await newPerson());
  await dial(page, "+12025550100");
  await untilAnswered(page);
  const sheet = page.getByRole("dialog", { name: "This call" });
  await page.getByRole("button", { name: "Note and outcome" }).click();
  expect(await findings(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Close" }).click();
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Note and outcome" }).click();
  await pullDown(page, 30);
  expect(await sheet.evaluate((each) => each.style.translate)).toBe("");
  await pullDown(page, 200);
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Note and outcome" }).click();
  await sheet.getByRole("textbox", { name: "Note" }).fill("Wants a quote");
  await sheet.getByRole("timer", { name: "Call duration" }).waitFor();
  await sheet.getByRole("button", { name: "Hang up" }).click();
  await sheet.getByText("You hung up.").waitFor();
  expect(await sheet.getByRole("textbox", { name: "Note" }).inputValue()).toBe("Wants a quote");
  await sheet.getByRole("button", { name: "Close" }).click();
  expect(await endedSentence(page)).toBe("You hung up.");
});

test("the menu, which covers the call bar, shows the call and can hang up", async () => {
  const context = await openProfile(browser, { viewport: { width: 375, height: 740 }, bypassCSP: true });
  const page = await openAs(context, await newPerson());
  const menu = page.getByRole("dialog", { name: "Menu" });
  const openMenu = () => page.getByRole("button", { name: "Toggle sidebar" }).click();
  await openMenu();
  await menu.getByRole("link", { name: "Calls" }).waitFor();
  expect(await menu.getByRole("button", { name: "Hang up" }).count()).toBe(0);
  await menu.getByRole("button", { name: "Close" }).click();
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await openMenu();
  await menu.getByRole("timer", { name: "Call duration" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await menu.getByRole("button", { name: "Hang up" }).click();
  await menu.getByRole("button", { name: "Close" }).click();
  expect(await endedSentence(page)).toBe("You hung up.");
});
