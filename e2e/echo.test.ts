import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, pitchOf, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: 440 }) } });
});
afterAll(() => browser.close());

test("the echo returns the microphone's own frequency, and nothing while muted", async () => {
  const page = await openAs(await openProfile(browser), await newPerson());
  await dial(page, "+12025550101");
  await untilAnswered(page);
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 3_000)) - 440)).toBeLessThanOrEqual(10);

  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await expect.poll(async () => loudness(await record(page, 500))).toBeLessThan(0.001);

  await page.getByRole("button", { name: "Unmute" }).click();
  await expect.poll(async () => loudness(await record(page, 1_000))).toBeGreaterThan(0.01);
  await hangUp(page);
});
