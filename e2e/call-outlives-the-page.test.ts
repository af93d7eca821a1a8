import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "./support/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("after a reload the page offers to rejoin, and the sound comes back", async () => {
  const page = await openAs(await openProfile(browser), await newPerson());
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.reload();
  await page.getByRole("button", { name: "Rejoin" }).click();
  await expect
    .poll(async () => loudness(await record(page, 500).catch(() => new Float32Array(1))))
    .toBeGreaterThan(0.01);
  await hangUp(page);
});

test("a second tab shows and controls the call, and takes the sound only when asked", async () => {
  const person = await newPerson();
  const context = await openProfile(browser);
  const first = await openAs(context, person);
  await dial(first, "+12025550100");
  await untilAnswered(first);
  const second = await context.newPage();
  await second.goto("/calls");
  await second.getByText("The audio of this call is in another tab. You can control it from here.").waitFor();
  await second.getByRole("button", { name: "Mute" }).click();
  await first.getByRole("button", { name: "Hide" }).click();
  const mute = first.getByRole("button", { name: "Mute" });
  await expect.poll(() => mute.getAttribute("aria-pressed")).toBe("true");
  expect(loudness(await record(first, 500))).toBeGreaterThan(0.001);

  await second.getByRole("button", { name: "Take the audio here" }).click();
  await expect
    .poll(async () => loudness(await record(second, 500).catch(() => new Float32Array(1))))
    .toBeGreaterThan(0.01);
  await first.getByText("The audio of this call is in another tab. You can control it from here.").waitFor();
  await hangUp(second);
  expect(await endedSentence(first)).toBe("You hung up.");
});

test("closing every tab ends the call after 15 seconds", async () => {
  const person = await newPerson();
  const context = await openProfile(browser);
  const page = await openAs(context, person);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.close({ runBeforeUnload: false });
  await context.close();
  const closedAt = Date.now();
  await sleep(10_000);
  const [live] = await ask("/v1/calls", { token: person.token });
  expect(live.status).toBe("in-progress");
  const readCause = async () => (await ask("/v1/calls", { token: person.token }))[0].cause?.reason ?? null;
  await expect.poll(readCause, { timeout: 20_000, interval: 250 }).toBe("left");
  const endedAfterMs = Date.now() - closedAt;
  expect(endedAfterMs).toBeGreaterThan(13_000);
  expect(endedAfterMs).toBeLessThan(20_000);
});
