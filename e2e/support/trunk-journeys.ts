import { readFile, stat } from "node:fs/promises";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { number, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Page } from "playwright-core";
import { expect, onTestFailed, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "./dial.ts";
import { pitchOf, record, strengthAt } from "./ears.ts";
import { takePictures } from "./people.ts";
import { askAt, type Person } from "./sign-up.ts";
import { calleeHz, callerHz, expectWholeCall, ownNumber, startCallee, trunkSettings } from "./trunk-call.ts";

export const colleagueHz = 1_300;
const waveHeadBytes = 44;
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

/** Whom the journeys call, by way of a trunk that asks for a password and stays in the path. */
export async function startTrunk(stage: Stage) {
  const { peers, folder } = stage;
  const answering = { folder, user: number("02"), account: ";answermode=auto", toneHz: colleagueHz };
  const [callee, colleague] = await Promise.all([startCallee(stage), stage.keep(startBaresip(peers, answering))]);
  const echoing = await stage.sipp({ scenario: "answer", echoes: true });
  /** A trunk without a proxy before it, which is heard before it answers. */
  const early = await stage.sipp({ scenario: "early-media", echoes: true });
  const callees = { "01": callee.port, "02": colleague.port, "21": echoing };
  const { port } = await stage.kamailio({ callees });
  return { callee, colleague, port, early };
}
export type StartedTrunk = Awaited<ReturnType<typeof startTrunk>>;

/** That person's organisation calls through the trunk from now on; answers what changes its settings. */
export async function connectTrunk(
  { port }: StartedTrunk,
  { address, person: { token } }: { address: string; person: Person },
): Promise<(settings: object) => Promise<unknown>> {
  const settings = { ...trunkSettings(port), numbers: [ownNumber], authentication: "register" };
  const body = { kind: "sip-trunk", label: "Trunk", settings, pricePerMinute: 20_000 };
  const { id } = await askAt(address, "/v1/carriers", { body, token });
  return (changed) =>
    askAt(address, `/v1/carriers/${id}`, { method: "PUT", body: { settings: { ...settings, ...changed } }, token });
}

/** Which of the three who may speak are heard in each half second. */
function speakersIn(sound: Float32Array): string[] {
  const halves = Array.from({ length: Math.floor(sound.length / 4_000) }, (_, i) =>
    sound.subarray(i * 4_000, (i + 1) * 4_000),
  );
  return halves.map((half) => [callerHz, calleeHz, colleagueHz].filter((hz) => strengthAt(half, hz) > 0.01).join("+"));
}
export async function untilHeard(page: Page, ...tones: number[]): Promise<void> {
  await expect.poll(async () => speakersIn(await record(page, 500)).join()).toBe(tones.join("+"));
}

async function lastWritten(files: readonly string[]): Promise<string> {
  const written = await Promise.all(files.map(async (file) => ({ file, atMs: (await stat(file)).mtimeMs })));
  return written.toSorted((one, other) => other.atMs - one.atMs)[0]?.file ?? "";
}

/** Until these, of the three, are what the recording of its last call ends with. */
export async function untilHeardThere(by: Baresip, ...tones: number[]): Promise<void> {
  const heard = async (): Promise<string> => {
    const recording = await lastWritten(await by.recordings());
    const bytes = await readFile(recording).catch(() => Buffer.alloc(0));
    const samples = Math.max(0, Math.floor((bytes.length - waveHeadBytes) / 2));
    const last = Array.from({ length: Math.min(samples, 4_000) }, (_, i) =>
      bytes.readInt16LE(waveHeadBytes + (samples - 1 - i) * 2),
    );
    return speakersIn(Float32Array.from(last, (sample) => sample / 32_768)).join();
  };
  await expect.poll(heard).toBe(tones.join("+"));
}

export async function askForTransfer(page: Page, to: string): Promise<void> {
  await page.keyboard.press("t");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially(to);
}

/** The journeys through a trunk, which are the same whatever carries the sound. */
export function trunkJourneys(
  given: () => StartedTrunk & { page: Page; changeTrunk: (settings: object) => Promise<unknown> },
): void {
  const takePicture = (page: Page): void => onTestFailed(() => takePictures(page.context()));

  test("a call from the browser through a trunk is heard at both ends, brings keys once, and is held and resumed", async () => {
    const { page, callee } = given();
    takePicture(page);
    await expectWholeCall(page, callee);

    for (const [lastTwo, sentence] of refusals) {
      await dial(page, number(lastTwo));
      await expect.poll(() => endedSentence(page)).toBe(sentence);
    }
  });

  test("a rep sends a call to a number that takes it", async () => {
    const { page } = given();
    takePicture(page);
    await dial(page, number("21"));
    await untilAnswered(page);
    await askForTransfer(page, number("07"));
    await page.keyboard.press("Enter");
    expect(await endedSentence(page)).toBe("Transferred to +1 202 555 0107.");
  });

  test("what a trunk says before the answer is heard", async () => {
    const { page, early, changeTrunk } = given();
    takePicture(page);
    await changeTrunk({ host: `127.0.0.1:${early}`, authentication: "ip" });
    await dial(page, number("02"));
    await expect.poll(async () => Math.abs(pitchOf(await record(page, 300)) - callerHz)).toBeLessThanOrEqual(10);
    await untilAnswered(page);
    await hangUp(page);
    await changeTrunk({});
  });

  test("a rep, once a busy line has left a call as it was, talks first with two, merges the calls and leaves, and all three hear whom they should", async () => {
    const { page, callee, colleague } = given();
    takePicture(page);
    // Whom she talks with says again what is heard there: so that is known, too, and of a call that was on hold.
    await dial(page, number("21"));
    await untilAnswered(page);
    await askForTransfer(page, number("03"));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("+1 202 555 0103 is busy. They are still with you.").waitFor();
    await untilHeard(page, callerHz);
    await askForTransfer(page, number("01"));
    await page.getByRole("button", { name: "Talk first" }).click();
    await untilHeard(page, calleeHz);
    callee.command("hangup");
    await untilHeard(page, callerHz);
    await askForTransfer(page, number("02"));
    await page.getByRole("button", { name: "Talk first" }).click();
    await untilHeard(page, colleagueHz);
    await untilHeardThere(colleague, callerHz);
    await page.getByRole("button", { name: "Merge calls" }).click();
    await untilHeard(page, callerHz, colleagueHz);
    await untilHeardThere(colleague, callerHz, colleagueHz);
    await page.getByRole("button", { name: "Leave the conference" }).click();
    expect(await endedSentence(page)).toBe("You left. +1 202 555 0121 and +1 202 555 0102 go on talking.");
    // What the first one says again, who hears nobody else.
    await untilHeardThere(colleague, colleagueHz);
    colleague.command("hangup");
    await expect.poll(() => colleague.events.some(({ type }) => type === "CALL_CLOSED")).toBe(true);
  });
}
