import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endedSentence, untilAnswered } from "./support/dial.ts";
import { openBrowser } from "./support/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("a call is dialled, muted and ended from the keyboard alone", async () => {
  const page = await openAs(await openProfile(browser), await newPerson());
  await page.getByText("Ready", { exact: true }).waitFor();
  await page.keyboard.type("+12025550108");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+1 202 555 0108");
  await page.keyboard.press("Enter");
  await untilAnswered(page);
  await page.keyboard.type("42");
  await expect.poll(() => page.getByLabel("Keys sent").inputValue()).toBe("42");
  await page.keyboard.press("Escape");
  const tabTo = async (name: string) => {
    const button = page.getByRole("button", { name, exact: true });
    for (let presses = 0; presses < 40; presses += 1) {
      if (await button.evaluate((element) => element === document.activeElement)) return button;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${name} is not reached by Tab`);
  };
  await tabTo("Mute");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Unmute" }).waitFor();
  await tabTo("Hang up");
  await page.keyboard.press("Enter");
  expect(await endedSentence(page)).toBe("You hung up.");
});
