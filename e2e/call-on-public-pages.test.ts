import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Calls with no tab left end after 15 s. */
const longerThanUnattendedMs = 18_000;

const barOf = (page: Page) => page.getByRole("region", { name: "Current call" });
const isHeard = async (page: Page) => loudness(await record(page, 500).catch(() => new Float32Array(1))) > 0.01;

test("going back to a public page keeps the call and its bar: it is heard, muted and hung up there", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser, { bypassCSP: true }), person, "/faq");
  await page.getByRole("link", { name: "Robin" }).click();
  await page.getByRole("link", { name: "Calls", exact: true }).first().click();
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.goBack();
  await page.goBack();
  await page.waitForURL((url) => url.pathname === "/faq");

  const bar = barOf(page);
  await bar.getByText("In call", { exact: true }).waitFor();
  expect(await page.title()).toContain("In call");
  await sleep(longerThanUnattendedMs);
  await expect.poll(() => isHeard(page)).toBe(true);
  await bar.getByRole("button", { name: "Mute", exact: true }).click();
  await expect.poll(async () => (await ask("/v1/calls", { token: person.token }))[0].muted).toBe(true);
  expect(await findings(page)).toEqual([]);

  await bar.getByRole("link", { name: "+1 202 555 0100" }).click();
  await page.getByRole("button", { name: "Unmute" }).first().waitFor();
  await page.goBack();
  await bar.getByRole("button", { name: "Hang up" }).click();
  await page.getByRole("region", { name: "Call ended" }).getByText("You hung up.").waitFor();
});

test.each(["/about", "/health", "/no-such-page"])(
  "a reload at %s says that the call is connected without audio, and Rejoin restores the audio",
  async (path) => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser), person);
    page.on("dialog", (dialog) => void dialog.accept());
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await page.goto(path);
    const bar = barOf(page);
    await bar.getByText("You’re still connected, but without audio").waitFor();
    expect(await bar.getByText("In call", { exact: true }).count()).toBe(0);
    await sleep(longerThanUnattendedMs);
    await bar.getByRole("button", { name: "Rejoin" }).click();
    await expect.poll(() => isHeard(page)).toBe(true);
    await bar.getByText("In call", { exact: true }).waitFor();
    await bar.getByRole("button", { name: "Hang up" }).click();
    await page.getByRole("region", { name: "Call ended" }).waitFor();
  },
);

test("signing out in another tab removes the call bar from a public page", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, await newPerson());
  page.on("dialog", (dialog) => void dialog.accept());
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.goto("/about");
  await barOf(page).waitFor();
  const other = await context.newPage();
  await other.goto("/logout");
  await barOf(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/about");
});
