import { stat } from "node:fs/promises";
import { purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { makeCertificate } from "@leadline/carrier-sip-trunk/testing/make-certificate";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { account, number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Linphonec, startLinphonec } from "@leadline/carrier-sip-trunk/testing/start-linphonec";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, pitchOf, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openSharedProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { holdAndResume, keysHeardBy, pressKey, startOver } from "./support/trunk-call.ts";

const memberHz = 440;
const baresipHz = 800;
const linphonecHz = 600;
const opusHz = 1_000;
const g722Hz = 1_250;
const secondHz = 1_300;
/** In linphonec's recordings. */
const secondBytes = 48_000 * 2;
let browser: Browser;
let stage: Stage;
let baresip: Baresip;
let linphonec: Linphonec;
let second: Linphonec;
let opusPhone: Baresip;
let g722Phone: Baresip;
let person: Person;
let page: Page;
let changeTrunk: (settings: object) => Promise<unknown>;
const localPort = freePort();
let settingsOf: {
  opus: object;
  g722: object;
  sipp: object;
  tcp: object;
  tls: object;
  linphonec: object;
  behindProxy: object;
  closed: object;
  unsealed: object;
};

beforeAll(async () => {
  [browser, stage] = await Promise.all([
    openBrowser({ microphone: { file: writeTone({ hz: memberHz }) } }),
    openStage(),
  ]);
  const { peers, folder } = stage;
  const tls = await makeCertificate(peers, folder, "127.0.0.1");
  [baresip, linphonec, second, opusPhone, g722Phone] = await Promise.all([
    stage.keep(
      startBaresip(peers, {
        folder,
        user: number("01"),
        account: ";answermode=auto;mediaenc=srtp-mand",
        toneHz: baresipHz,
        lines: [`sip_certificate ${tls.both}`, "module srtp.so"],
      }),
    ),
    stage.keep(startLinphonec(peers, { folder, user: number("02"), toneHz: linphonecHz })),
    stage.keep(startLinphonec(peers, { folder, user: number("07"), toneHz: secondHz })),
    stage.keep(
      startBaresip(peers, {
        folder,
        user: number("04"),
        account: ";answermode=auto;audio_codecs=opus/48000/2,PCMU/8000/1",
        toneHz: opusHz,
        lines: ["module opus.so", "ausrc_channels 1", "auplay_channels 1"],
      }),
    ),
    stage.keep(
      startBaresip(peers, {
        folder,
        user: number("06"),
        account: ";answermode=auto;audio_codecs=G722/16000/1,PCMU/8000/1",
        toneHz: g722Hz,
        lines: ["module g722.so", "ausrc_channels 1", "auplay_channels 1"],
      }),
    ),
  ]);
  const at = (port: number, transport: string) => ({ host: `127.0.0.1:${port}`, transport, authentication: "ip" });
  const echo = await stage.sipp({ scenario: { builtIn: "uas" }, echoes: true });
  const echoOverTcp = await stage.sipp({ scenario: { builtIn: "uas" }, echoes: true, transport: "tcp" });
  const proxy = await stage.kamailio({ callees: { "02": linphonec.port, "07": second.port } });
  settingsOf = {
    opus: { ...at(opusPhone.port, "udp"), codecs: ["opus", "PCMU", "PCMA"], localPort: await localPort },
    g722: { ...at(g722Phone.port, "udp"), codecs: ["G722", "PCMU", "PCMA"] },
    sipp: at(echo, "udp"),
    tcp: at(echoOverTcp, "tcp"),
    tls: { ...at(baresip.port + 1, "tls"), mediaEncryption: "required", certificateAuthority: tls.authority },
    closed: at(await freePort(), "tcp"),
    unsealed: { ...at(echo, "auto"), mediaEncryption: "required" },
    linphonec: { ...at(linphonec.port, "udp"), localPort: await localPort },
    behindProxy: { ...at(proxy.port, "udp"), authentication: "digest", ...account },
  };
  person = await newPerson();
  const { token } = person;
  const body = { kind: "sip-trunk", label: "Trunk", settings: settingsOf.sipp };
  const { id } = await ask("/v1/carriers", { body, token });
  changeTrunk = (settings) => ask(`/v1/carriers/${id}`, { method: "PUT", body: { settings }, token });
  page = await openAs(await openSharedProfile(browser), person);
});
afterEach(({ task }) =>
  task.result?.state === "fail" ? startOver(page, { address: inject("appAddress"), person }) : undefined,
);
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** How far the browser's audio is from that tone, in Hz. */
const offHere = async (hz: number): Promise<number> => Math.abs(pitchOf(await record(page, 500)) - hz);

/** How many of a recording's non-silent quarter-seconds have that tone. 0 while there is none. */
async function shareThere(recording: string | undefined, hz = memberHz): Promise<number> {
  const sound = await soundOfWave(recording ?? "").catch(() => new Int16Array());
  const parts = Array.from({ length: Math.floor(sound.length / 2_000) }, (_, at) =>
    Float32Array.from(sound.subarray(at * 2_000, (at + 1) * 2_000), (sample) => sample / 32_768),
  ).filter((part) => loudness(part) > 0.01);
  return parts.filter((part) => Math.abs(pitchOf(part) - hz) <= 10).length / Math.max(1, parts.length);
}

test.each(["sipp", "tcp"] as const)("the browser hears what SIPp echoes (%s)", async (by) => {
  await changeTrunk(settingsOf[by]);
  await dial(page, number("03"));
  await untilAnswered(page);
  await expect.poll(() => offHere(memberHz)).toBeLessThanOrEqual(10);
  await hangUp(page);
});

test("over TLS a call is encrypted to a far end that requires it, and heard at both ends", async () => {
  await changeTrunk(settingsOf.tls);
  await dial(page, number("01"));
  await untilAnswered(page);
  await expect.poll(() => offHere(baresipHz)).toBeLessThanOrEqual(10);
  await hangUp(page);
  await expect.poll(async () => shareThere((await baresip.recordings())[0])).toBeGreaterThan(0.5);
});

test("linphonec is called and calls, and both are heard at both ends", async () => {
  await changeTrunk(settingsOf.linphonec);
  const called = linphonec.recordNext();
  await dial(page, number("02"));
  await untilAnswered(page);
  await expect.poll(() => offHere(linphonecHz)).toBeLessThanOrEqual(10);
  await hangUp(page);
  await expect.poll(() => shareThere(called)).toBeGreaterThan(0.5);

  const calls = linphonec.recordNext();
  linphonec.command(`call sip:+442079460123@127.0.0.1:${await localPort}`);
  await page.getByRole("region", { name: "Incoming call" }).getByRole("button", { name: "Answer" }).click();
  await untilAnswered(page);
  await expect.poll(() => offHere(linphonecHz)).toBeLessThanOrEqual(10);
  linphonec.command("terminate");
  expect(await endedSentence(page)).toBe("They hung up.");
  await expect.poll(() => shareThere(calls)).toBeGreaterThan(0.5);
});

test("after a rep completes a transfer, two linphonecs talk without her, connected by the first one", async () => {
  await changeTrunk(settingsOf.behindProxy);
  await dial(page, number("02"));
  await untilAnswered(page);
  await expect.poll(() => offHere(linphonecHz)).toBeLessThanOrEqual(10);
  await page.keyboard.press("t");
  await page.getByRole("dialog").getByRole("combobox").pressSequentially(number("07"));
  await page.getByRole("button", { name: "Talk first" }).click();
  await expect.poll(() => offHere(secondHz)).toBeLessThanOrEqual(10);
  const recordings = [linphonec, second].map((one) => one.recordNext());
  await page.getByRole("button", { name: "Complete transfer" }).click();
  expect(await endedSentence(page)).toBe("Transferred to +1 202 555 0107.");

  // Nothing is known of prices here, so the first one calls the second in our place, which then ends its call with us.
  await untilSaid(linphonec, /Media streams established with \S+Replaces=/);
  await untilSaid(linphonec, /Replaces=[^]*Call \d+ with sip:agent@\S+ ended/);
  await untilSaid(second, /Call 1 with sip:agent@\S+ ended/);
  await untilSaid(second, /Media streams established .* for call 2/);
  const sizes = () => Promise.all(recordings.map(async (path) => (await stat(path)).size));
  const before = await sizes();
  await expect.poll(async () => (await sizes()).every((size, i) => size > (before[i] ?? 0) + secondBytes)).toBe(true);
  const hungUpAtMs = Date.now();
  second.command("terminate");
  const lastHeard = async (hz: number, path = ""): Promise<number> =>
    purestShareAt(hz, (await soundOfWave(path)).subarray(-sampleRate));
  await expect.poll(() => lastHeard(secondHz, recordings[0])).toBeGreaterThan(0.8);
  await expect.poll(() => lastHeard(linphonecHz, recordings[1])).toBeGreaterThan(0.8);

  const transferred = { status: "completed", cause: { reason: "transferred" } };
  const [to, sent] = await ask("/v1/calls", { token: person.token });
  expect(to).toMatchObject({ ...transferred, phoneNumber: number("07") });
  expect(sent).toMatchObject({ ...transferred, phoneNumber: number("02"), transfer: { status: "taken" } });
  for (const { endedAt } of [to, sent]) expect(Date.parse(endedAt)).toBeLessThan(hungUpAtMs);
});

async function untilSaid(by: Linphonec, what: RegExp): Promise<void> {
  await expect.poll(() => by.output()).toMatch(what);
}

/** The codecs that the browser sends and receives, according to its statistics. */
const codecsInUse = (): Promise<string[]> =>
  page.evaluate(async () => {
    const peer = window.peers.findLast((candidate) => candidate.connectionState === "connected");
    const entries: { id: string; type: string; codecId?: string; mimeType?: string }[] = [];
    (await peer?.getStats())?.forEach((entry: (typeof entries)[number]) => entries.push(entry));
    return ["outbound-rtp", "inbound-rtp"].map((type) => {
      const { codecId } = entries.find((entry) => entry.type === type) ?? {};
      return entries.find(({ id }) => id === codecId)?.mimeType ?? "none";
    });
  });

test("a far end that speaks G.722 gets it, and is heard at both ends", async () => {
  await changeTrunk(settingsOf.g722);
  await dial(page, number("06"));
  await untilAnswered(page);
  await expect.poll(codecsInUse).toEqual(["audio/G722", "audio/G722"]);
  await expect.poll(() => offHere(g722Hz)).toBeLessThanOrEqual(10);
  await record(page, 1_000);
  await hangUp(page);
  const heardThere = async () =>
    Math.max(...(await Promise.all((await g722Phone.recordings()).map((one) => shareThere(one)))));
  await expect.poll(heardThere).toBeGreaterThan(0.5);
});

test("a far end that speaks Opus gets Opus, through hold and DTMF, with audio at both ends, whoever calls", async () => {
  await changeTrunk(settingsOf.opus);
  await dial(page, number("04"));
  await untilAnswered(page);
  await expect.poll(codecsInUse).toEqual(["audio/opus", "audio/opus"]);
  await expect.poll(() => offHere(opusHz)).toBeLessThanOrEqual(10);
  await pressKey(page, "7", { heardBy: opusPhone });
  await page.getByRole("button", { name: "Hide" }).click();
  await holdAndResume(page);
  await expect.poll(() => offHere(opusHz)).toBeLessThanOrEqual(10);
  expect(await codecsInUse()).toEqual(["audio/opus", "audio/opus"]);
  await record(page, 1_000);
  await hangUp(page);
  const heardThere = async () =>
    Math.max(...(await Promise.all((await opusPhone.recordings()).map((one) => shareThere(one)))));
  await expect.poll(heardThere).toBeGreaterThan(0.5);
  expect(keysHeardBy(opusPhone)).toEqual(["7"]);

  opusPhone.command("dial", `sip:+442079460123@127.0.0.1:${await localPort}`);
  await page.getByRole("region", { name: "Incoming call" }).getByRole("button", { name: "Answer" }).click();
  await untilAnswered(page);
  await expect.poll(codecsInUse).toEqual(["audio/opus", "audio/opus"]);
  await expect.poll(() => offHere(opusHz)).toBeLessThanOrEqual(10);
  await hangUp(page);
});

test.each([
  ["closed", "Your organisation’s carrier isn’t responding. Ask an owner to check it under Settings, Carriers."],
  ["unsealed", "The other side doesn’t encrypt calls, which your organisation requires. An owner can change that."],
] as const)("a call that can't be placed says why (%s)", async (by, sentence) => {
  await changeTrunk(settingsOf[by]);
  await dial(page, number("03"));
  await expect.poll(() => endedSentence(page)).toBe(sentence);
});
