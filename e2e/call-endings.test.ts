import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const endings = [
  ["+12025550103", "The line is busy."],
  ["+12025550104", "No answer."],
  ["+12025550105", "They declined the call."],
  ["+12025550106", "The phone network couldn’t connect the call. Try again in a moment."],
  ["+12025550109", "They hung up."],
] as const;

test.concurrent.for(endings)("a call to %s ends with: %s", async ([number, sentence], { onTestFinished }) => {
  const context = await openProfile(browser, {}, onTestFinished);
  const page = await openAs(context, await newPerson());
  await dial(page, number);
  expect(await endedSentence(page)).toBe(sentence);
});

test("an invalid number fails to start with a message, and stays on the pad", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, await newPerson());
  await dial(page, "12");
  await page.getByRole("alertdialog", { name: "Failed to start call", exact: true }).waitFor();
  await page.getByRole("button", { name: "OK" }).click();
  expect(await page.getByLabel("Phone number").inputValue()).toBe("1 2");
});
