import { number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Baresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "./support/dial.ts";
import { pitchOf, record } from "./support/ears.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openSharedProfile, takePictures } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { callerHz, expectWholeCall, startCallee, trunkSettings } from "./support/trunk-call.ts";

const refusals = [
  ["03", "The line is busy."],
  ["05", "They declined the call."],
  ["06", "The phone network could not put the call through. Try again in a moment."],
  ["15", "Nobody answered."],
  ["13", "This number is not in service. Check it and try again."],
  [
    "14",
    "Your carrier refused the call. Try again; if it happens twice, tell your administrator what number you called.",
  ],
] as const;
let browser: Browser;
let stage: Stage;
let callee: Baresip;
let trunk: number;
let callerPage: Page;
let changeTrunk: (settings: object) => Promise<unknown>;
/** A trunk without a proxy before it, which is heard before it answers. */
let early: number;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  callee = await startCallee(stage);
  early = await stage.sipp({ scenario: "early-media", echoes: true });
  trunk = (await stage.kamailio({ callees: { "01": callee.port } })).port;
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** Somebody whose organisation calls through a trunk, on a page that stays open from the first test on. */
async function openCaller(): Promise<Page> {
  const { token, ...person } = await newPerson();
  const body = { kind: "sip-trunk", label: "Trunk", settings: trunkSettings(trunk) };
  const { id } = await ask("/v1/carriers", { body, token });
  changeTrunk = (settings) => ask(`/v1/carriers/${id}`, { method: "PUT", body: { settings }, token });
  callerPage = await openAs(await openSharedProfile(browser), { token, ...person });
  return callerPage;
}
const takePicture = (): void => onTestFailed(() => takePictures(callerPage.context()));

test("a call from the browser through a trunk is heard at both ends, brings keys once, and is held and resumed", async () => {
  const page = await openCaller();
  takePicture();
  await expectWholeCall(page, callee);

  for (const [lastTwo, sentence] of refusals) {
    await dial(page, number(lastTwo));
    await expect.poll(() => endedSentence(page)).toBe(sentence);
  }
});

test("what a trunk says before the answer is heard", async () => {
  takePicture();
  const page = callerPage;
  await changeTrunk({ ...trunkSettings(trunk), host: `127.0.0.1:${early}`, authentication: "ip" });
  await dial(page, number("02"));
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 300)) - callerHz)).toBeLessThanOrEqual(10);
  await untilAnswered(page);
  await hangUp(page);
});
