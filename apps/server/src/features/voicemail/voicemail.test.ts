import { open } from "node:fs/promises";
import { loudness, shareAt, toneSamples } from "@leadline/adapter-kit/conformance/tone";
import { decodeSound } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import type { HangUpCause } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { toneFile } from "../../testing/left-messages.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { type Caller, openCaller, sit, switchboard } from "../../testing/open-switchboard.ts";
import { greetingHz, openOffice, untilMissed, uploadGreeting } from "../../testing/open-office.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { newRep, readCall, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";

const bounds = { longestMs: 4_500, maxMs: 60_000, quietMs: 2_500 };
const app = testAppWithCalls([...carrierModules, switchboard], { voicemailBounds: bounds });
const beepHz = 1_000;
const callerHz = 440;
const { openToWrite } = app.store;
afterEach(() => void (app.store.openToWrite = openToWrite));

const put = (rep: Rep, body: object) => app.ask("PUT", "/v1/voicemail", { token: rep.token, body });
const upload = (rep: Rep, content: Buffer, name?: string) => uploadGreeting(app, rep, content, name);
const until = (rep: Rep, reason: HangUpCause["reason"]) => untilMissed(app, rep, reason);
const play = (rep: Rep, callSid: string, headers = {}) =>
  app.ask("GET", `/v1/calls/${callSid}/voicemail`, { token: rep.token, headers });
const soundOf = (wave: Buffer): Int16Array =>
  Int16Array.from({ length: (wave.length - 44) / 2 }, (_, at) => wave.readInt16LE(44 + at * 2));
const filesKept = () => app.store.listOlderThan(Infinity);

/** Where in the caller's audio this tone occurs alone. -1 if nowhere. */
function placeOf(hz: number, { phone }: Caller): number {
  const sound = phone.packets.flatMap(({ payload }) => [...decodeSound(payload, "PCMU")]);
  for (let at = 0; at + 1_600 <= sound.length; at += 800)
    if (shareAt(hz, Int16Array.from(sound.slice(at, at + 1_600))) > 0.9) return at;
  return -1;
}
/** Waits for the beep. What is said after it is recorded. */
async function hearGreeting(caller: Caller): Promise<void> {
  await vi.waitFor(() => expect(placeOf(beepHz, caller)).toBeGreaterThan(placeOf(greetingHz, caller)));
  expect(placeOf(greetingHz, caller)).toBeGreaterThanOrEqual(0);
}

describe("the settings", () => {
  let owner: Rep;
  beforeAll(async () => {
    owner = await newRep(app);
  });

  test("are off by default, can be read by members, and changed only by owners", async () => {
    const start = {
      enabled: false,
      ringSeconds: 20,
      keepDays: 90,
      greetingId: null,
      greetings: [],
      defaultGreetingMs: expect.closeTo(8_000, -3),
      used: { messages: 0, durationMs: 0 },
      full: false,
    };
    expect((await app.ask("GET", "/v1/voicemail", { token: owner.token })).json()).toEqual(start);
    const admin = await registerPerson(app);
    await joinOrganisation(app, admin, { organisationId: owner.organisationId, role: "admin" });
    expect((await app.ask("GET", "/v1/voicemail", { token: admin.token })).json()).toEqual(start);
    expect((await app.ask("PUT", "/v1/voicemail", { token: admin.token, body: { enabled: true } })).statusCode).toBe(
      403,
    );
    expect((await app.ask("POST", "/v1/voicemail/greetings", { token: admin.token })).statusCode).toBe(403);
    const changed = await put(owner, { enabled: true, ringSeconds: 30, keepDays: 7 });
    expect(changed.json()).toEqual({ ...start, enabled: true, ringSeconds: 30, keepDays: 7 });
    expect((await put(owner, { keepDays: 365 })).json()).toMatchObject({ ringSeconds: 30, keepDays: 365 });
    for (const wrong of [{ ringSeconds: 4 }, { ringSeconds: 61 }, { ringSeconds: 5.5 }, { keepDays: 8 }])
      expect((await put(owner, wrong)).statusCode).toBe(422);
  });

  test("accept a custom greeting, as callers will hear it, and the default again; another organisation's is not found", async () => {
    const uploaded = await upload(owner, toneFile(greetingHz, 1_500), "welcome.wav");
    expect([uploaded.statusCode, uploaded.json()]).toMatchObject([201, { name: "welcome.wav", durationMs: 1_500 }]);
    const { id } = uploaded.json();
    const path = `/v1/voicemail/greetings/${id}`;
    const heard = await app.ask("GET", `/v1/voicemail/greetings/${id}`, { token: owner.token });
    expect(heard.headers).toMatchObject({ "content-type": "audio/wav", "x-content-type-options": "nosniff" });
    expect(shareAt(greetingHz, soundOf(heard.rawPayload))).toBeGreaterThan(0.99);
    const shipped = await app.ask("GET", "/v1/voicemail/greetings/default", { token: owner.token });
    // Spoken words: several seconds, and no single tone.
    expect(soundOf(shipped.rawPayload).length).toBeGreaterThan(5 * 8_000);
    expect(loudness(soundOf(shipped.rawPayload))).toBeGreaterThan(1_000);
    const part = { range: "bytes=44-143" };
    const some = await app.ask("GET", "/v1/voicemail/greetings/default", { token: owner.token, headers: part });
    expect([some.statusCode, some.rawPayload]).toEqual([206, shipped.rawPayload.subarray(44, 144)]);

    expect((await put(owner, { greetingId: id })).json()).toMatchObject({ greetingId: id, greetings: [{ id }] });
    expect((await put(owner, { greetingId: null })).json()).toMatchObject({ greetingId: null, greetings: [{ id }] });
    const other = await newRep(app);
    expect((await put(other, { greetingId: id })).statusCode).toBe(404);
    expect((await app.ask("GET", path, { token: other.token })).statusCode).toBe(404);
    // An unused one is replaced by the next, and its file is deleted.
    const before = await filesKept();
    const next = (await upload(owner, toneFile(greetingHz, 1_000))).json();
    expect((await put(owner, {})).json().greetings).toMatchObject([{ id: next.id }]);
    expect(await filesKept()).toHaveLength(before.length);
  });

  test("convert a one-minute greeting in another thread, so that nobody waits", async () => {
    const sampleRate = 192_000;
    const content = waveFile(toneSamples(greetingHz / 24, { from: 0, length: sampleRate * 20 }), sampleRate);
    const own = process.threadCpuUsage();
    const all = process.cpuUsage();
    expect((await upload(owner, content)).json()).toMatchObject({ durationMs: 20_000 });
    expect(process.threadCpuUsage(own).user / process.cpuUsage(all).user).toBeLessThan(0.5);
  });

  test.each([
    [
      "song.mp3",
      Buffer.from("ID3 and the rest"),
      "“song.mp3” wasn’t uploaded. It isn’t a WAV file. Save it as WAV (PCM, 16 bits) and try again.",
    ],
    [
      "long.wav",
      toneFile(greetingHz, 61_000),
      "“long.wav” wasn’t uploaded. It’s 61 seconds long. The limit is 60 seconds.",
    ],
    [
      "mute.wav",
      toneFile(0, 2_000),
      "“mute.wav” wasn’t uploaded. It’s silent. Record it again, closer to the microphone.",
    ],
  ])("refuse %s with an explanation", async (name, content, detail) => {
    const before = await filesKept();
    const refused = await upload(owner, content, name);
    expect([refused.statusCode, refused.json().detail]).toEqual([422, detail]);
    expect(await filesKept()).toEqual(before);
  });
});

test("with nobody available the caller hears the greeting and the beep and leaves a message, which is listed with the missed call", async () => {
  const { rep, putThrough } = await openOffice(app);
  const before = await filesKept();
  const caller = await openCaller();
  const heard = putThrough("+442071838750", caller);
  caller.phone.sendTone(callerHz);
  await hearGreeting(caller);
  expect(heard).toEqual(["answered"]);
  expect((await until(rep, "in-voicemail")).voicemail).toBeNull();
  const stream = await openEventStream(await app.http.listen({ port: 0, host: "127.0.0.1" }), { token: rep.token });
  const [recording = ""] = (await filesKept()).filter((name) => !before.includes(name));
  const bytesOfASecond = 16_000;
  await vi.waitFor(async () => expect(await app.store.sizeOf(recording)).toBeGreaterThan(bytesOfASecond));
  caller.hangUp();
  const call = await until(rep, "left-message");
  expect(call).toMatchObject({ status: "no-answer", answeredAt: null, userId: null, durationMs: 0 });
  expect(call.voicemail).toMatchObject({ heardAt: null });
  expect(call.voicemail?.durationMs).toBeGreaterThan(900);
  const isTold = () => stream.events.some(({ data }) => data?.includes("left-message") && data.includes(call.callSid));
  await stream.until(isTold);
  stream.close();
  expect(heard).toEqual(["answered", "hung-up"]);

  const { callSid } = call;
  const whole = await play(rep, callSid);
  expect([whole.statusCode, whole.headers]).toMatchObject([
    200,
    {
      "content-type": "audio/wav",
      "content-length": String(whole.rawPayload.length),
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  ]);
  const sound = soundOf(whole.rawPayload);
  expect(whole.rawPayload.readUInt32LE(40)).toBe(sound.length * 2);
  expect(Math.abs((call.voicemail?.durationMs ?? 0) - sound.length / 8)).toBeLessThan(1);
  expect(shareAt(callerHz, sound.subarray(1_600, 6_400))).toBeGreaterThan(0.9);
  // The phone's tone has an amplitude of 8,000.
  expect(loudness(sound.subarray(1_600, 6_400)) / (8_000 / Math.SQRT2)).toBeCloseTo(1, 1);
  const part = await play(rep, callSid, { range: "bytes=1000-1999" });
  expect([part.statusCode, part.headers["content-range"]]).toEqual([206, `bytes 1000-1999/${whole.rawPayload.length}`]);
  expect(part.rawPayload).toEqual(whole.rawPayload.subarray(1_000, 2_000));
  const beyond = await play(rep, callSid, { range: "bytes=99999999-" });
  expect([beyond.statusCode, beyond.headers["content-range"]]).toEqual([416, `bytes */${whole.rawPayload.length}`]);

  const mark = (is: boolean) =>
    app.ask("PATCH", `/v1/calls/${callSid}/voicemail`, { token: rep.token, body: { heard: is } });
  const marked = (await mark(true)).json();
  expect(marked.voicemail.heardAt).not.toBeNull();
  expect(marked.revision).toBeGreaterThan(call.revision);
  expect((await mark(true)).json().voicemail.heardAt).toBe(marked.voicemail.heardAt);
  expect((await mark(false)).json().voicemail.heardAt).toBeNull();

  const deleted = await app.ask("DELETE", `/v1/calls/${callSid}/voicemail`, { token: rep.token });
  expect(deleted.statusCode).toBe(204);
  expect(await filesKept()).toEqual(before);
  expect((await play(rep, callSid)).statusCode).toBe(404);
  expect(await until(rep, "left-message")).toMatchObject({ callSid, voicemail: null });
});

test("a call that all have declined, that was sent there or rang out is answered; a very long message is cut off", async () => {
  const offices = await Promise.all(Array.from({ length: 4 }, () => openOffice(app)));
  const [durationMs] = await Promise.all([speakForEver(offices[0]), giveUpInGreetings(offices.slice(1))]);
  expect(durationMs).toBeGreaterThan(0);
  expect(durationMs).toBeLessThanOrEqual(bounds.longestMs + 1_000);
});

type Office = Awaited<ReturnType<typeof openOffice>>;

async function giveUpInGreetings(offices: readonly Office[]): Promise<void> {
  // The default greeting takes seconds: callers who hang up do so during it.
  await Promise.all(offices.map(({ rep }) => put(rep, { greetingId: null })));
  await Promise.all(offices.map(({ rep }) => sit(app, rep)));
  const came = await Promise.all(
    offices.map(async ({ rep, putThrough }) => {
      const caller = await openCaller();
      const heard = putThrough("+442071838750", caller);
      const [call] = await vi.waitFor(async () => {
        const live: Call[] = (await app.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
        expect(live).toHaveLength(1);
        return live;
      });
      return { rep, caller, heard, callSid: call?.callSid ?? "" };
    }),
  );
  const [declined, sent] = came;
  await app.ask("POST", `/v1/calls/${declined?.callSid}/decline`, { token: declined?.rep.token ?? "" });
  await app.ask("POST", `/v1/calls/${sent?.callSid}/send-to-voicemail`, { token: sent?.rep.token ?? "" });
  // The third call rings for its five seconds.
  const giveUp = async ({ rep, caller, heard, callSid }: (typeof came)[number]) => {
    await vi.waitFor(() => expect(heard).toEqual(["ringing", "answered"]));
    caller.hangUp();
    expect(await until(rep, "hung-up-in-greeting")).toMatchObject({ callSid, status: "no-answer", voicemail: null });
    const late = await app.ask("POST", `/v1/calls/${callSid}/answer`, { token: rep.token, body: { offer: "v=0" } });
    expect(late.json().type).toContain("call-ended");
  };
  await Promise.all(came.map(giveUp));
}

/** Returns how long its message is. */
async function speakForEver(office: Office | undefined): Promise<number> {
  if (!office) throw new Error("an office is needed");
  const caller = await openCaller();
  const heard = office.putThrough("+442071838750", caller);
  caller.phone.sendTone(callerHz);
  const { voicemail } = await until(office.rep, "left-message");
  expect(heard).toEqual(["answered", "hung-up"]);
  return voicemail?.durationMs ?? 0;
}

test("if it is off, or the disk is full, the caller is refused as before, and the missed call says why", async () => {
  const { rep, putThrough } = await openOffice(app);
  app.store.openToWrite = () => open("/dev/full", "r+");
  const refused = putThrough();
  await vi.waitFor(() => expect(refused).toEqual(["nobody-there"]));
  await until(rep, "voicemail-failed");
  app.store.openToWrite = openToWrite;
  await put(rep, { enabled: false });
  const missed = putThrough();
  await vi.waitFor(() => expect(missed).toEqual(["nobody-there"]));
  await until(rep, "no-answer");
  await sit(app, rep);
  await vi.waitFor(async () => {
    const heard = putThrough();
    await vi.waitFor(() => expect(heard).not.toEqual([]));
    expect(heard).toEqual(["ringing"]);
  }, 60_000);
  const [ringing] = await vi.waitFor(async () => {
    const live: Call[] = (await app.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
    expect(live).toHaveLength(1);
    return live;
  });
  const sent = await app.ask("POST", `/v1/calls/${ringing?.callSid}/send-to-voicemail`, { token: rep.token });
  expect([sent.statusCode, sent.json().detail]).toEqual([
    409,
    "Voicemail is off. An owner can turn it on under Settings, Voicemail.",
  ]);
  expect(await readCall(app, rep, ringing?.callSid ?? "")).toMatchObject({ status: "ringing" });
});
