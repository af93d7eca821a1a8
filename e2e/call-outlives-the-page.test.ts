import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { inboundEnergy, loudness, player, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ strictAutoplay: true });
});
afterAll(() => browser.close());

/** Evaluating in the page counts as a gesture, so don't, until it has tried to play by itself and failed. */
async function reloadUntouched(page: Page): Promise<void> {
  const warm = page.waitForResponse((response) => response.url().endsWith("/api/v1/media-connections"));
  await page.reload({ waitUntil: "commit" });
  await warm;
  await sleep(500);
}
async function expectToPlay(page: Page): Promise<void> {
  await expect.poll(() => player(page)).toMatchObject({ paused: false });
  const { seconds } = await player(page);
  await expect.poll(async () => (await player(page)).seconds).toBeGreaterThan(seconds);
  await expect.poll(async () => (await inboundEnergy(page)).energy).toBeGreaterThan(0);
}

test("plays a call on a newly loaded page, and after a reload offers to rejoin and restores the audio", async () => {
  const page = await openAs(await openProfile(browser), await newPerson());
  await reloadUntouched(page);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await expectToPlay(page);
  await reloadUntouched(page);
  await page.getByRole("button", { name: "Rejoin" }).click();
  await expectToPlay(page);
  await expect
    .poll(async () => loudness(await record(page, 500).catch(() => new Float32Array(1))))
    .toBeGreaterThan(0.01);
  await hangUp(page);
});

test("a second tab shows and controls the call, and takes over the audio only on request", async () => {
  const person = await newPerson();
  const context = await openProfile(browser);
  const first = await openAs(context, person);
  await dial(first, "+12025550100");
  await untilAnswered(first);
  const second = await context.newPage();
  await second.goto("/calls");
  await second.getByText("The audio of this call is in another tab. You can control it from here.").waitFor();
  await second.getByRole("button", { name: "Mute", exact: true }).click();
  await first.getByRole("button", { name: "Hide" }).click();
  await first.getByRole("button", { name: "Unmute" }).waitFor();
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
  const closingAt = Date.now();
  await page.close({ runBeforeUnload: false });
  await context.close();
  const closedAt = Date.now();
  await sleep(10_000);
  const readCall = async () => (await ask("/v1/calls", { token: person.token }))[0];
  await expect.poll(async () => (await readCall()).cause?.reason ?? null).toBe("left");
  // By the server's clock, which is this machine's, so closing and polling take no part.
  const endedAt = Date.parse((await readCall()).endedAt);
  expect(endedAt - closingAt).toBeGreaterThan(14_000);
  expect(endedAt - closedAt).toBeLessThan(30_000);
});
