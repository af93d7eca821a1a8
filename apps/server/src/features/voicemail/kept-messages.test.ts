import { randomInt } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "@leadline/contract/calls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { carrierModules } from "../../adapters.ts";
import type { Database } from "../../db/database.ts";
import { markProcessAlive, type ProcessMark } from "../../db/mark-process-alive.ts";
import { createLog, type Log } from "../../log.ts";
import { leadlineChanges } from "../../testing/leadline-changes.ts";
import { leaveMessage, toneFile } from "../../testing/left-messages.ts";
import { connectSwitchboard, openCaller, switchboard } from "../../testing/open-switchboard.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { newRep, readCall, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { openCarriers } from "../carriers/open-carriers.ts";
import { createFileStore, type FileStore } from "../files/file-store.ts";
import { neededFiles } from "../../start/define-jobs.ts";
import { sweepFiles } from "../files/sweep-files.ts";
import { closeHalfRecorded } from "./close-half-recorded.ts";
import { dropOutdatedMessages } from "./drop-outdated.ts";

const bounds = { longestMs: 2_000, maxMs: 10_000, quietMs: 1_000 };
const app = testAppWithCalls([...carrierModules, switchboard], { voicemailBounds: bounds });
const dataDir = mkdtempSync(join(tmpdir(), "leadline-messages-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
/** With a folder that the test can access. */
const store = createFileStore(dataDir);
const pathOf = (storedName: string) => join(dataDir, "files", storedName);
const log = createLog("silent");
let deps: { database: Database; store: FileStore; processKey: number; log: Log };
let mark: ProcessMark;
let rep: Rep;
beforeAll(async () => {
  rep = await newRep(app);
  // Alive to every other process, which doesn't have this one's recordings.
  mark = await markProcessAlive(app.database, log);
  deps = { database: app.database, store, processKey: mark.processKey, log };
});
afterAll(() => mark.close());

/** The key of a dead process. */
const killed = () => randomInt(1, 2 ** 31 - 1);
const close = async (recordedHere: string[] = []) =>
  closeHalfRecorded({ ...deps, carriers: await openCarriers([]) }, recordedHere);
const leave = (more: Parameters<typeof leaveMessage>[2]) => leaveMessage({ ...app, store }, rep, more);
const callOf = (callSid: string): Promise<Call> => readCall(app, rep, callSid);

test("finishes what a killed process half recorded, or deletes it if nobody spoke", async () => {
  const tone = toneFile(440, 3_000);
  // As on disk before it is finished: a header without a length, and an odd byte where the write was interrupted.
  const unfinished = Buffer.concat([tone.subarray(0, 40), Buffer.alloc(4), tone.subarray(44), Buffer.alloc(1)]);
  const [spoken, silent, living] = await Promise.all([
    leave({ file: unfinished, halfRecordedBy: killed() }),
    leave({ file: toneFile(0, 3_000), halfRecordedBy: killed() }),
    leave({ file: unfinished, halfRecordedBy: deps.processKey }),
  ]);
  await close([living.callSid]);
  expect(await callOf(spoken.callSid)).toMatchObject({
    cause: { reason: "left-message" },
    voicemail: { durationMs: 3_000, heardAt: null },
  });
  const whole = await readFile(pathOf(spoken.storedName));
  expect([whole.readUInt32LE(40), whole.length]).toEqual([3_000 * 16, 44 + 3_000 * 16]);
  expect(await callOf(silent.callSid)).toMatchObject({ cause: { reason: "server-restarted" }, voicemail: null });
  await expect(readFile(pathOf(silent.storedName))).rejects.toThrow("ENOENT");
  expect(await callOf(living.callSid)).toMatchObject({ cause: { reason: "in-voicemail" }, voicemail: null });
  await close();
  expect(await callOf(living.callSid)).toMatchObject({ cause: { reason: "left-message" } });
});

test("an unreadable file stays until it can be read; only one missing for a day is given up", async () => {
  const file = toneFile(440, 2_000);
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString();
  const [faulty, missing, gone] = await Promise.all([
    leave({ file, halfRecordedBy: deps.processKey, at: yesterday }),
    leave({ file, halfRecordedBy: deps.processKey }),
    leave({ file, halfRecordedBy: deps.processKey, at: yesterday }),
  ]);
  // Reading a folder as a file fails, like a faulty disk.
  await rm(pathOf(faulty.storedName));
  await mkdir(pathOf(faulty.storedName));
  for (const { storedName } of [missing, gone]) await rm(pathOf(storedName));
  await close();
  for (const { callSid } of [faulty, missing])
    expect(await callOf(callSid)).toMatchObject({ cause: { reason: "in-voicemail" } });
  expect(await callOf(gone.callSid)).toMatchObject({ cause: { reason: "server-restarted" }, voicemail: null });
  await rm(pathOf(faulty.storedName), { recursive: true });
  for (const { storedName } of [faulty, missing]) await writeFile(pathOf(storedName), file);
  await close();
  for (const { callSid } of [faulty, missing])
    expect(await callOf(callSid)).toMatchObject({ voicemail: { durationMs: 2_000 } });
});

test("a message whose file is missing says so and stays", async () => {
  const { callSid, storedName } = await leaveMessage(app, rep, {});
  await app.store.remove(storedName);
  const answer = await app.ask("GET", `/v1/calls/${callSid}/voicemail`, { token: rep.token });
  expect([answer.statusCode, answer.json().detail]).toEqual([
    404,
    "This audio file is missing on the server. Tell the administrator of this server.",
  ]);
  expect((await callOf(callSid)).voicemail).not.toBeNull();
});

test("messages and their audio are deleted after the days set by their organisation; the sweep keeps the others", async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const weekly = await newRep(app);
  await app.ask("PUT", "/v1/voicemail", { token: weekly.token, body: { keepDays: 7 } });
  const mine = { ...app, store };
  const [old, young, weeklyOld] = await Promise.all([
    leaveMessage(mine, rep, { at: daysAgo(91) }),
    leaveMessage(mine, rep, { at: daysAgo(89), heard: true }),
    leaveMessage(mine, weekly, { at: daysAgo(8) }),
  ]);
  await dropOutdatedMessages(deps);
  await sweepFiles({ ...deps, needed: neededFiles }, Date.now() + 2 * 3_600_000);
  expect((await callOf(old.callSid)).voicemail).toBeNull();
  expect((await readCall(app, weekly, weeklyOld.callSid)).voicemail).toBeNull();
  expect((await callOf(young.callSid)).voicemail).not.toBeNull();
  expect(await leadlineChanges(app, weekly)).toMatchObject([
    { action: "voicemail.expired", changes: [{ kind: "voicemail_messages", operation: "deleted" }] },
  ]);
  for (const { storedName } of [old, weeklyOld]) await expect(readFile(pathOf(storedName))).rejects.toThrow("ENOENT");
  expect(await readFile(pathOf(young.storedName))).toEqual(toneFile(440, 2_000));
});

test("when they are full the oldest heard one makes room, and without heard ones no call is answered", async () => {
  const office = await newRep(app);
  await app.ask("PUT", "/v1/voicemail", { token: office.token, body: { enabled: true } });
  const putThrough = await connectSwitchboard(app, office);
  const settings = async () => (await app.ask("GET", "/v1/voicemail", { token: office.token })).json();
  const messages: Awaited<ReturnType<typeof leaveMessage>>[] = [];
  for (let count = 0; count < 3; count += 1) messages.push(await leaveMessage(app, office, { durationMs: 3_000 }));
  expect(await settings()).toMatchObject({ used: { messages: 3, durationMs: 9_000 }, full: true });
  const refused = putThrough();
  await vi.waitFor(() => expect(refused).toEqual(["nobody-there"]));
  expect(await settings()).toMatchObject({ used: { messages: 3 } });
  for (const { callSid } of messages.slice(1))
    await app.ask("PATCH", `/v1/calls/${callSid}/voicemail`, { token: office.token, body: { heard: true } });
  expect(await settings()).toMatchObject({ full: false });
  const revisionOf = async () => (await readCall(app, office, messages[1]?.callSid ?? "")).revision;
  const before = await revisionOf();
  const caller = await openCaller();
  const taken = putThrough("+442071838750", caller);
  await vi.waitFor(() => expect(taken).toEqual(["answered"]));
  caller.hangUp();
  const left = await Promise.all(messages.map(async ({ callSid }) => (await readCall(app, office, callSid)).voicemail));
  expect(left.map((voicemail) => voicemail !== null)).toEqual([true, false, true]);
  // Every tab is notified that it is gone.
  expect(await revisionOf()).toBeGreaterThan(before);
});

test("new messages are counted until a member plays them, and calls with a message can be listed separately", async () => {
  const office = await newRep(app);
  const [first, heard, second] = [
    await leaveMessage(app, office),
    await leaveMessage(app, office, { heard: true }),
    await leaveMessage(app, office),
  ];
  const half = await leaveMessage(app, office, { halfRecordedBy: killed() });
  const count = async ({ token }: Pick<Rep, "token"> = office) =>
    (await app.ask("GET", "/v1/voicemail/new", { token })).json().count;
  const list = async (query: string) =>
    (await app.ask("GET", `/v1/calls?${query}`, { token: office.token })).json().map(({ callSid }: Call) => callSid);
  expect([await count(), await count(await newRep(app))]).toEqual([2, 0]);
  expect(await list("voicemail=true")).toEqual([second.callSid, heard.callSid, first.callSid]);
  expect(await list("voicemail=true&limit=1")).toEqual([second.callSid]);
  expect(await list("voicemail=false")).toEqual([half.callSid]);
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId: office.organisationId, role: "member" });
  const message = `/v1/calls/${first.callSid}/voicemail` as const;
  await app.ask("PATCH", message, { token: colleague.token, body: { heard: true } });
  expect([await count(), await count(colleague)]).toEqual([1, 1]);
  await app.ask("DELETE", `/v1/calls/${second.callSid}/voicemail`, { token: colleague.token });
  expect([await count(), await list("voicemail=true")]).toEqual([0, [heard.callSid, first.callSid]]);
});
