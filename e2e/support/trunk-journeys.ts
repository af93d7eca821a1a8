import { startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { number, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startLateRelay } from "@leadline/carrier-sip-trunk/testing/start-late-relay";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "../../testing/dial.ts";
import { pitchOf, record } from "./ears.ts";
import { askAt, type Person } from "../../testing/sign-up.ts";
import { colleagueHz, expectHeardByBoth, waitUntilHeard, waitUntilHeardThere } from "./speakers.ts";
import {
  calleeHz,
  callerHz,
  callIn,
  expectWholeCall,
  incoming,
  ownNumber,
  pressKey,
  startCallee,
  trunkSettings,
} from "./trunk-call.ts";

const refusals = [
  ["03", "The line is busy."],
  ["05", "They declined the call."],
  ["06", "The phone network couldn’t connect the call. Try again in a moment."],
  ["15", "No answer."],
  ["13", "This number isn’t in service. Check it and try again."],
  [
    "14",
    "Your carrier refused the call. Try again. If it happens again, tell your administrator which number you called.",
  ],
] as const;

/** The callees of the journeys, behind a trunk that requires a password and stays in the path. */
export async function startTrunk(stage: Stage) {
  const { peers, folder } = stage;
  const answering = { folder, user: number("02"), account: ";answermode=auto", toneHz: colleagueHz };
  const [callee, colleague] = await Promise.all([startCallee(stage), stage.keep(startBaresip(peers, answering))]);
  const echoing = await stage.sipp({ scenario: "answer", echoes: true });
  /** A trunk without a proxy, with early media. */
  const early = await stage.sipp({ scenario: "early-media", echoes: true });
  const callees = { "01": callee.port, "02": colleague.port, "21": echoing };
  const { port } = await stage.kamailio({ callees });
  return { callee, colleague, port, early, echoing };
}
export type StartedTrunk = Awaited<ReturnType<typeof startTrunk>>;

/**
 * The user's organisation calls through the trunk from then on; returns a function that changes its settings for one
 * test.
 */
export async function connectTrunk(
  { port }: StartedTrunk,
  { address, person: { token } }: { address: string; person: Person },
): Promise<(settings: object) => Promise<void>> {
  const settings = { ...trunkSettings(port), numbers: [ownNumber], authentication: "register" };
  const { id } = await askAt(address, "/v1/carriers", { body: { kind: "sip-trunk", label: "Trunk", settings }, token });
  // Only this callee has a price: Leadline would carry out transfers to others that have one.
  const rate = { perMinuteMicros: 20_000, connectionFeeMicros: 0, firstSeconds: 60, nextSeconds: 60 };
  const priced = { ...rate, prefix: number("01"), effectiveFrom: "2000-01-01" };
  await askAt(address, `/v1/carriers/${id}/rates`, { method: "PUT", body: priced, token });
  const put = (changed: object) =>
    askAt(address, `/v1/carriers/${id}`, { method: "PUT", body: { settings: { ...settings, ...changed } }, token });
  return async (changed) => {
    await put(changed);
    onTestFinished(() => put({}));
  };
}

export async function askForTransfer(page: Page, to: string): Promise<void> {
  await page.keyboard.press("t");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially(to);
}

/** The journeys through a trunk, which are the same whatever carries the audio. */
export function trunkJourneys(
  given: () => StartedTrunk & { stage: Stage; page: Page; changeTrunk: (settings: object) => Promise<void> },
): void {
  test("a call from the browser through a trunk is heard at both ends, passes digits once, and is held and resumed", async () => {
    const { page, callee } = given();
    await expectWholeCall(page, callee);

    for (const [lastTwo, sentence] of refusals) {
      await dial(page, number(lastTwo));
      await expect.poll(() => endedSentence(page)).toBe(sentence);
    }
  });

  test("a rep transfers a call to a number that answers", async () => {
    const { page } = given();
    await dial(page, number("21"));
    await untilAnswered(page);
    await askForTransfer(page, number("07"));
    await page.keyboard.press("Enter");
    expect(await endedSentence(page)).toBe("Transferred to +1 202 555 0107.");
  });

  test("early media from a trunk is heard", async () => {
    const { page, early, changeTrunk } = given();
    await changeTrunk({ host: `127.0.0.1:${early}`, authentication: "ip" });
    await dial(page, number("02"));
    await expect.poll(async () => Math.abs(pitchOf(await record(page, 300)) - callerHz)).toBeLessThanOrEqual(10);
    await untilAnswered(page);
    await hangUp(page);
  });

  test("a rep, after a busy second line left the call as it was, talks to two callees, swaps and merges the calls and leaves, and all three hear whom they should", async () => {
    const { page, callee, colleague } = given();
    // This callee echoes what it hears: that shows who is heard there, even for a call that was on hold.
    await dial(page, number("21"));
    await untilAnswered(page);
    await askForTransfer(page, number("03"));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("+1 202 555 0103 is busy. They’re still on your call.").waitFor();
    await waitUntilHeard(page, callerHz);
    await askForTransfer(page, number("01"));
    await page.getByRole("button", { name: "Talk first" }).click();
    await waitUntilHeard(page, calleeHz);
    await waitUntilHeardThere(callee, callerHz);
    await page.getByRole("button", { name: "Swap" }).click();
    await waitUntilHeard(page, callerHz);
    await page.getByRole("button", { name: "Swap" }).click();
    await waitUntilHeard(page, calleeHz);
    // baresip stops recording a call that was on hold.
    callee.events.splice(0);
    await pressKey(page, "7", { heardBy: callee });
    callee.command("hangup");
    await waitUntilHeard(page, callerHz);
    await askForTransfer(page, number("02"));
    await page.getByRole("button", { name: "Talk first" }).click();
    await waitUntilHeard(page, colleagueHz);
    await waitUntilHeardThere(colleague, callerHz);
    await page.getByRole("button", { name: "Merge calls" }).click();
    await waitUntilHeard(page, callerHz, colleagueHz);
    await waitUntilHeardThere(colleague, callerHz, colleagueHz);
    await page.getByRole("button", { name: "Leave the conference" }).click();
    expect(await endedSentence(page)).toBe("You left. +1 202 555 0121 and +1 202 555 0102 are still talking.");
    // The echo of the first callee, who hears no one else.
    await waitUntilHeardThere(colleague, colleagueHz);
    colleague.command("hangup");
    await expect.poll(() => colleague.events.some(({ type }) => type === "CALL_CLOSED")).toBe(true);
  });

  test("a callee behind a link that drops all packets in the first 3 s over UDP is called until it responds, once", async () => {
    const { page, callee, port, stage, changeTrunk } = given();
    const late = await stage.keep(startLateRelay(port));
    await changeTrunk({ host: `127.0.0.1:${late.port}`, authentication: "digest" });
    callee.events.splice(0);
    await dial(page, number("01"));
    await expectHeardByBoth(page, callee);
    expect(late.lostInvites()).toBeGreaterThan(1);
    expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(1);
    await hangUp(page);
  });

  test("a call goes to the next of a trunk's servers if one is down, from the start or since the last call", async () => {
    const { page, callee, echoing, port, stage, changeTrunk } = given();
    // Only this one knows that number.
    const other = await stage.kamailio({ callees: { "22": echoing } });
    const servers = [await freePort(), other.port, port].map((each) => `127.0.0.1:${each}`);
    await changeTrunk({ host: servers.join(), transport: "tcp", authentication: "digest" });
    callee.events.splice(0);
    await dial(page, number("22"));
    await untilAnswered(page);
    await hangUp(page);
    await other.stop();
    await dial(page, number("01"));
    await expectHeardByBoth(page, callee);
    await hangUp(page);
    expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(1);
  });

  test("a registrar that restarts without registrations is registered with again, and calls work in both directions", async () => {
    const { page, callee, stage, changeTrunk } = given();
    const callees = { "01": callee.port };
    const registrar = await stage.kamailio({ callees });
    const server = `127.0.0.1:${registrar.port}`;
    await changeTrunk({ host: server, transport: "tcp", keepAliveSeconds: 5 });
    const settings = await page.context().newPage();
    await settings.goto("/settings/carriers");
    await settings.getByText(`Registered at ${server}.`).waitFor();
    await registrar.stop();
    await untilShown(settings, `${server} does not answer. We keep trying.`);
    await stage.kamailio({ port: registrar.port, callees });
    await untilShown(settings, `Registered at ${server}.`);
    await settings.close();

    await callIn(callee, { number: ownNumber, registrar: registrar.port }, page);
    await incoming(page).getByRole("button", { name: "Answer" }).click();
    await expectHeardByBoth(page, callee);
    await hangUp(page);
    await dial(page, number("01"));
    await expectHeardByBoth(page, callee);
    await hangUp(page);
    expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(2);
  });
}

/** The page also refreshes by itself, but rarely. */
async function untilShown(page: Page, words: string): Promise<void> {
  const shown = async () => {
    await page.reload();
    const rows = page.getByRole("row");
    await rows.nth(1).waitFor();
    return (await rows.allTextContents()).join();
  };
  await expect.poll(shown).toContain(words);
}
