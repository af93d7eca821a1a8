import { number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startBaresip, type Baresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import { stat } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "./support/dial.ts";
import { pitchOf, record, strengthAt } from "./support/ears.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openSharedProfile, takePictures } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { calleeHz, callerHz, expectWholeCall, startCallee, trunkSettings } from "./support/trunk-call.ts";

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
const colleagueHz = 1_300;
let browser: Browser;
let stage: Stage;
let callee: Baresip;
let colleague: Baresip;
let trunk: number;
let callerPage: Page;
let changeTrunk: (settings: object) => Promise<unknown>;
/** A trunk without a proxy before it, which is heard before it answers. */
let early: number;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  const { peers, folder } = stage;
  const answering = { folder, user: number("02"), account: ";answermode=auto", toneHz: colleagueHz };
  [callee, colleague] = await Promise.all([startCallee(stage), stage.keep(startBaresip(peers, answering))]);
  const echoing = await stage.sipp({ scenario: "answer", echoes: true });
  early = await stage.sipp({ scenario: "early-media", echoes: true });
  trunk = (await stage.kamailio({ callees: { "01": callee.port, "02": colleague.port, "21": echoing } })).port;
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

/** Which of the three who may speak are heard in each half second. */
function speakersIn(sound: Float32Array): string[] {
  const halves = Array.from({ length: Math.floor(sound.length / 4_000) }, (_, i) =>
    sound.subarray(i * 4_000, (i + 1) * 4_000),
  );
  return halves.map((half) => [callerHz, calleeHz, colleagueHz].filter((hz) => strengthAt(half, hz) > 0.01).join("+"));
}
const heardHere = async (page: Page): Promise<string> => speakersIn(await record(page, 500)).join();
/** Until it has recorded a second and a half more. */
async function untilMoreIsHeard(by: Baresip): Promise<void> {
  const bytes = async (): Promise<number> => {
    const [recording] = await by.recordings();
    return recording === undefined ? 0 : (await stat(recording)).size;
  };
  const before = await bytes();
  await expect.poll(async () => (await bytes()) - before).toBeGreaterThan(24_000);
}

test("a rep talks first, merges the calls and leaves, and all three hear whom they should", async () => {
  takePicture();
  const page = callerPage;
  // Whom she talks with says again what is heard there: so that is known, too, and of a call that was on hold.
  await dial(page, number("21"));
  await untilAnswered(page);
  await expect.poll(() => heardHere(page)).toBe(`${callerHz}`);
  await page.keyboard.press("t");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially(number("02"));
  await page.getByRole("button", { name: "Talk first" }).click();
  await expect.poll(() => heardHere(page)).toBe(`${colleagueHz}`);
  await untilMoreIsHeard(colleague);
  await page.getByRole("button", { name: "Merge calls" }).click();
  await expect.poll(() => heardHere(page)).toBe(`${callerHz}+${colleagueHz}`);
  await untilMoreIsHeard(colleague);
  await page.getByRole("button", { name: "Leave the conference" }).click();
  expect(await endedSentence(page)).toBe("Transferred to +1 202 555 0102.");
  await untilMoreIsHeard(colleague);
  colleague.command("hangup");
  await expect.poll(() => colleague.events.some(({ type }) => type === "CALL_CLOSED")).toBe(true);

  const [recording = ""] = await colleague.recordings();
  const sound = Float32Array.from(await soundOfWave(recording), (sample) => sample / 32_768);
  const stages = speakersIn(sound).filter((each, i, all) => each !== "" && each !== all[i - 1]);
  // The rep alone; the rep, and what the first one hears of him; what that one hears once the rep has left.
  expect([stages.at(0), stages.at(-1)]).toEqual([`${callerHz}`, `${colleagueHz}`]);
  expect(stages).toContain(`${callerHz}+${colleagueHz}`);
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
