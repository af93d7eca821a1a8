import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, untilAnswered } from "../testing/dial.ts";
import { inboundEnergy, loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, openProfile } from "./support/people.ts";
import { newCredentials } from "../testing/sign-up.ts";
import { spokenKeys } from "./support/spoken-keys.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("a newcomer registers, creates an organisation, calls the sandbox and finds the call in the log", async () => {
  const { email, password } = newCredentials();
  const page = await (await openProfile(browser)).newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));

  await page.goto("/register");
  await page.getByLabel("First name").fill("Robin");
  await page.getByLabel("Last name").fill("Sounder");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("Successfully registered! You can now login here:", { exact: true }).waitFor();

  await page.getByRole("main").getByRole("link", { name: "Login", exact: true }).click();
  await page.waitForURL("**/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");

  await page.goto("/calls");
  await page.getByText("You need to be part of an organisation to use this feature.", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Create organisation" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harbour");
  await page.getByRole("button", { name: "Create organisation" }).click();
  await page.waitForURL("**/settings/organisations");

  await page.goto("/calls");
  await dial(page, "+12025550100");
  await untilAnswered(page);
  const timer = page.getByRole("timer", { name: "Call duration" });
  const timerPx = await timer.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(timerPx).toBeGreaterThanOrEqual(24);
  await expect.poll(async () => loudness(await record(page, 2_000))).toBeGreaterThan(0.01);
  expect((await inboundEnergy(page)).energy).toBeGreaterThan(0.01);

  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Mute", exact: true }).click();
  await page.getByText("Muted", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Unmute" }).click();
  await page.getByRole("button", { name: "Hang up" }).click();
  expect(await endedSentence(page)).toBe("You hung up.");

  const dialledAt = Date.now();
  await dial(page, "+12025550108");
  await untilAnswered(page);
  const talkingAt = Date.now();
  const hear = async () => {
    const hearing = record(page, 9_000);
    for (const name of ["7", "3", "Hash"]) {
      await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name, exact: true }).click();
      await sleep(1_500);
    }
    return spokenKeys(await hearing);
  };
  // Retry if the audio stuttered, as on a busy machine.
  await expect.poll(hear, { timeout: 60_000 }).toBe("73#");
  expect(await page.getByLabel("Keys sent").inputValue()).toMatch(/^(73#)+$/);
  const talkedMs = Date.now() - talkingAt;
  await page.getByRole("button", { name: "Hang up" }).click();
  await endedSentence(page);
  const gonePastMs = Date.now() - dialledAt;

  const token = await page.evaluate(() => localStorage.getItem("leadline.access-token") ?? "");
  const [menu] = await ask("/v1/calls", { token });
  expect(menu).toMatchObject({ phoneNumber: "+12025550108", status: "completed", cause: { reason: "hung-up-here" } });
  expect(menu.durationMs).toBeGreaterThanOrEqual(talkedMs);
  expect(menu.durationMs).toBeLessThan(gonePastMs);
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "+1 202 555 0108" });
  const seconds = Math.floor(menu.durationMs / 1000);
  const shown = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  await expect.poll(() => row.textContent()).toContain(shown);
  expect(faults).toEqual([]);
});
