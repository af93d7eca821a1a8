import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { account, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { toneFile } from "../apps/server/src/testing/left-messages.ts";
import { findings } from "./support/axe-findings.ts";
import { endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, pitchOf, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openSharedProfile, takePictures } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { callIn as ringOn, incoming } from "./support/trunk-call.ts";

const callerNumber = "+12025550171";
/** A number belongs to one organisation only, so this isn't the one of the trunk journeys. */
const ownNumber = "+442079460124";
const callerHz = 800;
const memberHz = 440;
const wide = { colorScheme: "light", viewport: { width: 1280, height: 800 } } as const;
const narrow = { colorScheme: "dark", viewport: { width: 375, height: 740 } } as const;
let browser: Browser;
let stage: Stage;
let caller: Baresip;
let registrar: number;
let person: Person;
/** This test's pages. */
let openPages: Page[] = [];

beforeAll(async () => {
  [browser, stage, person] = await Promise.all([
    openBrowser({ microphone: { file: writeTone({ hz: memberHz }) } }),
    openStage(),
    newPerson(),
  ]);
  const { peers, folder } = stage;
  caller = await stage.keep(startBaresip(peers, { folder, user: callerNumber, toneHz: callerHz }));
  registrar = (await stage.kamailio({ callees: { "71": caller.port } })).port;
  const lead = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: callerNumber };
  await ask("/v1/leads", { body: lead, token: person.token });
  const settings = { host: `127.0.0.1:${registrar}`, transport: "udp", numbers: [ownNumber], ...account };
  await ask("/v1/carriers", { body: { kind: "sip-trunk", label: "Trunk", settings }, token: person.token });
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
afterEach(async ({ task }) => {
  caller.command("hangup");
  const contexts = new Set(openPages.map((page) => page.context()));
  if (task.result?.state === "fail") await Promise.all([...contexts].map(takePictures));
  await Promise.all([...contexts].map((context) => context.close()));
  openPages = [];
  caller.events.splice(0);
});

async function open(look: BrowserContextOptions, path: string): Promise<Page> {
  const context = await openSharedProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" });
  const page = await openAs(context, person, path);
  openPages.push(page);
  return page;
}
const heard = (type: string) => caller.events.find((event) => event.type === type);

/** The phone rings on these pages. */
async function callIn(...pages: Page[]): Promise<void> {
  await ringOn(caller, { number: ownNumber, registrar }, ...pages);
  for (const page of pages) await incoming(page).getByText("Ada Lovelace").waitFor();
}

test("a call rings on every page, is answered on one and heard at both ends, and the others stop", async () => {
  const [page, other] = await Promise.all([open(wide, "/dashboard"), open(narrow, "/leads")]);
  await callIn(page, other);
  await incoming(page).getByText("+1 202 555 0171").waitFor();
  await incoming(page).getByText("to +44 20 7946 0124").waitFor();
  await expect.poll(() => page.title()).toBe("☎ Ada Lovelace is calling");
  expect(await findings(page)).toEqual([]);
  expect(await findings(other)).toEqual([]);

  await incoming(page).getByRole("button", { name: "Answer" }).click();
  await untilAnswered(page);
  await incoming(other).waitFor({ state: "detached" });
  expect(await incoming(page).count()).toBe(0);
  // On a page without the phone, the audio is connected shortly after the caller is answered.
  await page.waitForFunction(() => window.peers.some(({ connectionState }) => connectionState === "connected"));
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 1_000)) - callerHz)).toBeLessThanOrEqual(10);
  await hangUpInBar(page);
  await expect.poll(() => heard("CALL_CLOSED")).toBeDefined();
  const there = await soundOfWave((await caller.recordings())[0] ?? "");
  const spoken = Float32Array.from(there.subarray(-12_000, -4_000), (sample) => sample / 32_768);
  expect(loudness(spoken)).toBeGreaterThan(0.01);
  expect(Math.abs(pitchOf(spoken) - memberHz)).toBeLessThanOrEqual(10);
});

async function hangUpInBar(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Current call" }).getByRole("button", { name: "Hang up" }).click();
  await page.getByRole("region", { name: "Call ended" }).waitFor();
}

test("the phone's own page has the answered call's controls, and ends the call when the caller hangs up", async () => {
  const page = await open(narrow, "/calls");
  await callIn(page);
  await incoming(page).getByRole("button", { name: "Answer" }).click();
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hold", exact: true }).waitFor();
  caller.command("hangup");
  expect(await endedSentence(page)).toBe("They hung up.");
});

test("a call that starts to ring while a page is still opening its event stream rings there too", async () => {
  const [there, late] = await Promise.all([open(wide, "/leads"), open(narrow, "/leads")]);
  const { promise: mayOpen, resolve: letOpen } = Promise.withResolvers<void>();
  await late.route("**/api/v1/events", async (route) => {
    await mayOpen;
    await route.continue();
  });
  const listed = late.waitForResponse((response) => response.url().includes("/api/v1/calls?"));
  await late.goto("/calls");
  await listed;
  await callIn(there);
  letOpen();
  await incoming(late).waitFor();
  expect(await incoming(late).textContent()).toContain("Ada Lovelace");
});

test("a declined call stops ringing and is listed as missed, one click from calling back", async () => {
  const page = await open(wide, "/calls");
  const otherTab = await page.context().newPage();
  await otherTab.goto("/leads");
  const tabs = [page, otherTab];
  for (const tab of tabs) await countRings(tab);
  await callIn(...tabs);
  const rings = async () => (await Promise.all(tabs.map((tab) => tab.evaluate(() => window.rings)))).toSorted();
  await expect.poll(rings).toEqual([0, 1]);
  await incoming(page).getByRole("button", { name: "Decline" }).click();
  for (const tab of tabs) await incoming(tab).waitFor({ state: "detached" });
  expect(await rings()).toEqual([0, 1]);
  await otherTab.close();
  await expect.poll(() => heard("CALL_CLOSED")?.param).toContain("486");
  await page.getByRole("tab", { name: "Missed" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Ada Lovelace" }).first();
  await row.getByText("Missed").first().waitFor();
  await row.getByText("+1 202 555 0171 · to +44 20 7946 0124").waitFor();
  await row.getByRole("button", { name: "Call back Ada Lovelace" }).click();
  await expect.poll(() => heard("CALL_INCOMING")).toBeDefined();
  await hangUp(page);
});

const greetingHz = 620;

/** The pitch of each quarter of a second that isn't silent. */
const pitches = (sound: Int16Array): number[] =>
  Array.from({ length: Math.floor(sound.length / 2_000) }, (_, at) =>
    Float32Array.from(sound.subarray(at * 2_000, (at + 1) * 2_000), (sample) => sample / 32_768),
  ).flatMap((part) => (loudness(part) > 0.01 ? [pitchOf(part)] : []));
const sameAs = (hz: number) => (pitch: number) => Math.abs(pitch - hz) <= 10;

test("a call sent to voicemail leaves a message, which appears by itself and can be played, sought and deleted", async () => {
  const [page, other] = await Promise.all([open(wide, "/settings/voicemail"), open(narrow, "/settings/voicemail")]);
  const shipped = page.getByRole("group", { name: "the default greeting" });
  await shipped.getByRole("button", { name: /^Play/ }).click();
  await shipped.getByRole("button", { name: /^Pause/ }).waitFor();
  const chooser = page.getByLabel("Upload your own greeting");
  await chooser.setInputFiles({ name: "song.wav", mimeType: "audio/wav", buffer: Buffer.from("ID3 and the rest") });
  await page.getByText("“song.wav” wasn’t uploaded. It isn’t a WAV file.").waitFor();
  const tone = { name: "ours.wav", mimeType: "audio/wav", buffer: toneFile(greetingHz, 1_500) };
  await chooser.setInputFiles(tone);
  await expect.poll(() => page.getByRole("radio", { name: "ours.wav" }).isChecked()).toBe(true);
  const ours = page.getByRole("group", { name: "the greeting ours.wav" });
  await ours.getByRole("button", { name: /^Play/ }).click();
  // Starting one message stops the other.
  await shipped.getByRole("button", { name: /^Play/ }).waitFor();
  await page.getByLabel("Send unanswered calls to voicemail").check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Voicemail is on.").waitFor();
  expect(await findings(page)).toEqual([]);
  await other.getByRole("radio", { name: "Default greeting" }).waitFor();
  expect(await findings(other)).toEqual([]);

  await page.goto("/calls?tab=voicemail");
  await noteNotices(page);
  await page.getByText("No messages", { exact: true }).waitFor();
  await other.goto("/calls?tab=missed");
  await other.getByRole("button", { name: "Recent calls" }).click();
  const kept = filesKept();
  await callIn(page);
  await incoming(page).getByRole("button", { name: "Send to voicemail" }).click();
  await incoming(page).waitFor({ state: "detached" });
  // The greeting, the beep, and then a second of the message.
  await expect.poll(() => recordedBytes(kept), { timeout: 30_000 }).toBeGreaterThan(16_000);
  caller.command("hangup");
  const message = (at: Page) => at.getByRole("group", { name: "the message from Ada Lovelace" });
  for (const one of [page, other]) await message(one).waitFor();
  const row = page.getByRole("listitem").filter({ has: message(page) });
  await row.getByText("Left a message").first().waitFor();
  await row.getByText("New", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Call back Ada Lovelace" }).waitFor();
  await page.getByRole("link", { name: "Calls 1 new message", exact: true }).waitFor();
  await page.getByRole("tab", { name: "Voicemail 1 new message" }).waitFor();
  const notices = () => page.evaluate(() => Object.values(window.notices));
  await expect.poll(notices).toEqual(["New message: Ada Lovelace"]);
  expect(await findings(page)).toEqual([]);
  expect(await findings(other)).toEqual([]);

  const heardThere = await soundOfWave((await caller.recordings()).at(-1) ?? "");
  expect(pitches(heardThere).some(sameAs(greetingHz))).toBe(true);
  const [call] = await ask("/v1/calls?direction=inbound", { token: person.token });
  const address = `${inject("appAddress")}/api/v1/calls/${call.callSid}/voicemail`;
  const kind = await fetch(address, { headers: { authorization: `Bearer ${person.token}` } });
  const recorded = Buffer.from(await kind.arrayBuffer());
  const said = Int16Array.from({ length: (recorded.length - 44) / 2 }, (_, at) => recorded.readInt16LE(44 + at * 2));
  expect(pitches(said).filter(sameAs(callerHz)).length).toBeGreaterThan(2);

  await message(page).getByRole("button", { name: /^Play/ }).click();
  await row.getByText("New", { exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Calls", exact: true }).waitFor();
  await message(page).getByRole("button", { name: /^Play/ }).waitFor();
  const position = message(page).getByRole("slider");
  await position.press("End");
  const atEnd = await position.getAttribute("aria-valuetext");
  expect(atEnd).toMatch(/^(\d:\d\d) of \1$/);
  await position.press("ArrowLeft");
  expect(await position.getAttribute("aria-valuetext")).toMatch(/^0:00 of/);

  await message(other).waitFor();
  const actions = other.getByRole("button", { name: "Actions for the call with Ada Lovelace" }).first();
  await actions.click();
  await other.getByRole("menuitem", { name: "Delete message…" }).click();
  await other.getByRole("dialog", { name: "Delete this message?" }).waitFor();
  await other.getByRole("button", { name: "Delete message" }).click();
  for (const one of [page, other]) await message(one).waitFor({ state: "detached" });
});

/** How often the page has started to ring. */
const countRings = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.rings = 0;
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      if (/incoming/.test(this.src)) window.rings += 1;
      return play.call(this);
    };
  });

declare global {
  interface Window {
    rings: number;
    /** System notifications by tag. */
    notices: Record<string, string>;
  }
}

/** Simulates a page whose user has allowed notifications and looks elsewhere. */
const noteNotices = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shown: Record<string, string> = {};
    window.notices = shown;
    document.hasFocus = () => false;
    window.Notification = class extends EventTarget {
      static permission = "granted";
      readonly #tag: string;
      constructor(title: string, { tag = "" }: NotificationOptions = {}) {
        super();
        this.#tag = tag;
        shown[tag] = title;
      }
      close(): void {
        delete shown[this.#tag];
      }
    } as unknown as typeof Notification;
  });

const filesKept = (): string[] => readdirSync(join(inject("appDataDir"), "files"));
/** The size of the new file. */
function recordedBytes(before: readonly string[]): number {
  const [name] = filesKept().filter((one) => !before.includes(one));
  return name === undefined ? 0 : statSync(join(inject("appDataDir"), "files", name)).size;
}
