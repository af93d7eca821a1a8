import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { type FakeMicrophone, openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

const openSettings = async (page: Page) => {
  await page.getByRole("button", { name: "Settings", exact: true }).last().click();
  await page.getByRole("dialog", { name: "Active Call Settings", exact: true }).waitFor();
};

function withMicrophone(microphone: FakeMicrophone): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ microphone });
  });
  afterAll(() => browser.close());
  return () => browser;
}

describe("with two microphones", () => {
  const browser = withMicrophone("beeps");

  test("another one can be chosen during the call, and the far end hears it", async () => {
    const page = await openAs(await openProfile(browser()), await newPerson());
    await dial(page, "+12025550101");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Hide" }).click();
    await openSettings(page);
    await page.getByLabel("Select a Microphone:", { exact: true }).click();
    const before = await sentDevice(page);
    await page.getByRole("option", { name: "Fake Audio Input 2" }).click();
    await expect.poll(() => sentDevice(page)).not.toBe(before);
    await page.keyboard.press("Escape");
    await expect.poll(async () => loudness(await record(page, 1_500))).toBeGreaterThan(0.001);
    await hangUp(page);
  });
});

describe("a refused microphone", () => {
  const browser = withMicrophone("denied");

  test("the phone says so, and not that a call ended", async () => {
    const page = await openAs(await openProfile(browser(), { permissions: [] }), await newPerson());
    await dial(page, "+12025550100");
    await page.getByRole("alertdialog", { name: "Failed to start call", exact: true }).waitFor();
    expect(await page.getByRole("alertdialog").textContent()).toContain("is blocking the microphone");
    await page.getByRole("button", { name: "OK" }).click();
    expect(await page.getByRole("region", { name: "Call ended" }).count()).toBe(0);
    await openSettings(page);
    await page.getByText("No microphones available or permissions denied.", { exact: true }).waitFor();
  });
});

describe("without a microphone", () => {
  const browser = withMicrophone("none");

  test("the phone says so before a call", async () => {
    const page = await openAs(await openProfile(browser()), await newPerson());
    await expect.poll(() => page.locator("[data-problem=none]").textContent()).toContain("No microphone found.");
    await openSettings(page);
    const message = page
      .getByRole("alert")
      .getByText("No microphones available or permissions denied.", { exact: true });
    await expect.poll(() => message.isVisible()).toBe(true);
  });
});

describe("an insecure page", () => {
  const browser = withMicrophone("beeps");

  test("the phone says that, and not that a microphone is missing", async () => {
    const baseURL = inject("appAddress").replace(/\/\/[^:/]+/, "//leadline.test");
    const page = await openAs(await openProfile(browser(), { baseURL, permissions: [] }), await newPerson());
    await expect
      .poll(() => page.locator("[data-problem=insecure]").textContent())
      .toContain("Browsers allow the microphone on secure pages only");
    await dial(page, "+12025550100");
    await page.getByRole("alertdialog", { name: "Failed to start call", exact: true }).waitFor();
    expect(await page.getByRole("alertdialog").textContent()).toContain("Open Leadline over https");
    await page.getByRole("button", { name: "OK" }).click();
  });
});

const sentDevice = (page: Page) =>
  page.evaluate(() => {
    const tracks = window.peers.flatMap((peer) => peer.getSenders().map((sender) => sender.track));
    return tracks.findLast((track) => track !== null)?.getSettings().deviceId;
  });
