import { account, number as numberOf, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { askAt, type Person } from "../../testing/sign-up.ts";
import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";
import { takePictures } from "./people.ts";
import { loudness, pitchOf, record } from "./ears.ts";

export const calleeHz = 800;
/** The tone that the browser's microphone sends. */
export const callerHz = 440;

export const ownNumber = "+442079460123";

export const trunkSettings = (port: number) => ({
  host: `127.0.0.1:${port}`,
  transport: "udp",
  authentication: "digest",
  ...account,
  codecs: ["PCMA"],
});

export const startCallee = (stage: Stage): Promise<Baresip> =>
  stage.keep(
    startBaresip(stage.peers, {
      folder: stage.folder,
      user: numberOf("01"),
      account: ";answermode=auto",
      toneHz: calleeHz,
    }),
  );

/** After a failed test, whose pages it pictures: the next one starts with a newly loaded page, and no call. */
export async function startOver(page: Page, { address, person }: { address: string; person: Person }): Promise<void> {
  await takePictures(page.context());
  const { token } = person;
  const calls: { callSid: string; endedAt: string | null }[] = await askAt(address, "/v1/calls", { token });
  for (const { callSid } of calls.filter(({ endedAt }) => endedAt === null))
    // It may have ended by now.
    await askAt(address, `/v1/calls/${callSid}/hang-up`, { method: "POST", token }).catch(() => {});
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.goto("/calls");
}

export async function expectCallee(page: Page): Promise<void> {
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 500)) - calleeHz)).toBeLessThanOrEqual(10);
}

export const incoming = (page: Page) => page.getByRole("region", { name: "Incoming call" });

/** Checks that an inbound call rings, through that registrar's trunk. */
export async function callIn(
  caller: Baresip,
  { number, registrar }: { number: string; registrar: number },
  ...pages: Page[]
): Promise<void> {
  const heard = (type: string) => caller.events.find((event) => event.type === type);
  for (const page of pages) await page.getByRole("banner").waitFor();
  // Registration succeeds soon after, and so does the page's event stream: until then the caller is refused.
  caller.events.splice(0);
  for (let tries = 0; tries < 20 && !heard("CALL_RINGING"); tries += 1) {
    caller.events.splice(0);
    caller.command("dial", `sip:${number}@127.0.0.1:${registrar}`);
    await expect.poll(() => heard("CALL_RINGING") ?? heard("CALL_CLOSED")).toBeDefined();
    if (!heard("CALL_RINGING")) await pages[0]?.waitForTimeout(200);
  }
  for (const page of pages) await incoming(page).waitFor();
}

export const keysHeardBy = ({ events }: Baresip) =>
  events.filter(({ type }) => type === "CALL_DTMF_START").map(({ param }) => param);

/** Presses a digit on the call's keypad, and waits until the far end has received exactly that one. */
export async function pressKey(page: Page, key: string, { heardBy }: { heardBy: Baresip }): Promise<void> {
  await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: key, exact: true }).click();
  await expect.poll(() => keysHeardBy(heardBy)).toEqual([key]);
}

export async function holdAndResume(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Hold", exact: true }).click();
  // Until then, hearing the far end doesn't show that the call was resumed.
  await expect.poll(async () => loudness(await record(page, 200))).toBeLessThan(0.001);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
}

/**
 * Hold and resume by the far end: waits until the page shows each, and so does a tab on another page that only knows
 * the server's reports.
 */
async function beHeldAndResumed(page: Page, by: Baresip): Promise<void> {
  const stage = page.getByTestId("call-stage");
  by.command("hold");
  await stage.getByText("They put you on hold", { exact: true }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto("/leads");
  const bar = tab.getByRole("region", { name: "Current call" });
  await bar.getByText("They put you on hold", { exact: true }).waitFor();
  by.command("resume");
  for (const place of [stage, bar]) await place.getByText("In call", { exact: true }).waitFor();
  await tab.close();
}

/** A call to the callee: heard at both ends, one digit, held and resumed by each side, hung up. */
export async function expectWholeCall(page: Page, callee: Baresip): Promise<void> {
  await dial(page, numberOf("01"));
  await untilAnswered(page);
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 1_000)) - calleeHz)).toBeLessThanOrEqual(10);

  await pressKey(page, "5", { heardBy: callee });
  await page.getByRole("button", { name: "Hide" }).click();
  await holdAndResume(page);
  await beHeldAndResumed(page, callee);
  await expectCallee(page);
  await hangUp(page);

  await expect.poll(() => callee.events.some(({ type }) => type === "CALL_CLOSED")).toBe(true);
  const [recording = ""] = await callee.recordings();
  const there = await soundOfWave(recording);
  // A second between the answer and the hold music.
  const spoken = Float32Array.from(there.subarray(4_000, 12_000), (sample) => sample / 32_768);
  expect(loudness(spoken)).toBeGreaterThan(0.01);
  expect(Math.abs(pitchOf(spoken) - callerHz)).toBeLessThanOrEqual(10);
  expect(keysHeardBy(callee)).toEqual(["5"]);
}
