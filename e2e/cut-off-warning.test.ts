import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { loudness, pitchOf, recordingRate } from "./support/ears.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

declare global {
  interface Window {
    /** Samples of the warning as the page plays it. */
    warning: number[];
  }
}

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** The warning is the page's own sound, not the call's. */
const recordWarning = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((sampleRate) => {
    window.warning = [];
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      if (this.src.includes("/warning-")) {
        const audio = new AudioContext({ sampleRate });
        const tap = audio.createScriptProcessor(1024, 1, 1);
        tap.onaudioprocess = ({ inputBuffer }) => window.warning.push(...inputBuffer.getChannelData(0));
        audio.createMediaElementSource(this).connect(tap).connect(audio.destination);
      }
      return play.call(this);
    };
  }, recordingRate);
const heard = async (page: Page): Promise<Float32Array> => Float32Array.from(await page.evaluate(() => window.warning));

const placeOf = async (page: Page, name: string) => (await page.getByRole("button", { name }).boundingBox())?.y;

test("the rep hears falling knocks before a limit ends the call, and no control moves", async () => {
  const person = await newPerson();
  const context = await openProfile(browser);
  await recordWarning(context);
  const page = await openAs(context, person);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  expect(await heard(page)).toHaveLength(0);
  await page.getByRole("button", { name: "Hide" }).click();
  const place = await placeOf(page, "Hang up");
  await ask("/v1/limits", { method: "PUT", token: person.token, body: { callMinutes: 2 } });
  await expect.poll(async () => (await heard(page)).length).toBeGreaterThan(1.5 * recordingRate);
  const warning = await heard(page);
  expect(loudness(warning)).toBeGreaterThan(0.005);
  // Which of the knocks is strongest depends on what a busy machine drops.
  const nearest = Math.min(...[880, 740, 587].map((hz) => Math.abs(pitchOf(warning) - hz)));
  expect(nearest).toBeLessThanOrEqual(10);
  await page.getByRole("status", { name: "This call is about to end" }).waitFor();
  expect(await placeOf(page, "Hang up")).toBe(place);
  await hangUp(page);
});
