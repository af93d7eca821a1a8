import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness } from "@leadline/adapter-kit/conformance/tone";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import type { Call } from "@leadline/contract/calls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { adaHz, bobHz, heardBy, repHz } from "../../../testing/media/heard-by.ts";
import { openNgClient } from "../../../media-plane/rtpengine/ng-client.ts";
import { openTestBrowser, type TestBrowser } from "../../../testing/media/test-browser.ts";
import { adaNumber, bobNumber, openFarEnds } from "../../../testing/ada-and-bob.ts";
import { asksProcess } from "../../../testing/asks-process.ts";
import { asSuperuser, ownMigratedDatabase } from "../../../testing/own-database.ts";
import { readCallSnapshot } from "../../../testing/read-call-snapshot.ts";
import { type LeadlineProcess, startProcess } from "../../../testing/start-process.ts";

const own = await ownMigratedDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "leadline-beside-"));
const centsAMinute = 20_000;
let stage: Stage;
let node: Rtpengine;
let leadline: LeadlineProcess;
/** Log output from before the last stop. */
let before = "";
const { ask, newRep } = asksProcess(() => leadline.origin);

async function start(): Promise<void> {
  const RTPENGINES = `udp:127.0.0.1:${node.port}`;
  leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: own.url, RTPENGINES });
}
beforeAll(async () => {
  stage = await openStage();
  node = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
  await start();
});
afterAll(async () => {
  await leadline.stop("SIGKILL");
  await stage.close();
  await own.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A rep whose browser and first far end, Ada, are on the rtpengine, with Bob on the second line. */
async function consult({ bobAnswers = true } = {}) {
  const farEnds = await openFarEnds({ bobAnswers });
  const rep = await newRep();
  const { token } = rep;
  const settings = { host: `127.0.0.1:${farEnds.port}`, transport: "udp", authentication: "ip" };
  await ask("POST", "/v1/carriers", {
    token,
    body: { kind: "sip-trunk", label: "Trunk", settings, pricePerMinute: centsAMinute },
  });
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  browser.sendTone(repHz);
  const started = await ask("POST", "/v1/calls", { token, body: { phoneNumber: adaNumber, offer: browser.offer } });
  const { callSid: toAda, answer, mediaConnectionId } = started.json;
  await browser.acceptAnswer(answer);
  const read = async (callSid: string): Promise<Call> => (await ask("GET", `/v1/calls/${callSid}`, { token })).json;
  const until = (callSid: string, what: object): Promise<Call> =>
    vi.waitFor(async () => {
      const call = await read(callSid);
      expect(call, `ended as ${call.cause?.reason}; the server says: ${leadline.log()}`).toMatchObject(what);
      return call;
    });
  await until(toAda, { status: "in-progress" });
  const begun = await ask("POST", `/v1/calls/${toAda}/consultation`, { token, body: { phoneNumber: bobNumber } });
  const toBob: string = begun.json.callSid;
  await until(toBob, { status: bobAnswers ? "in-progress" : "ringing" });
  const post = async (path: string): Promise<void> => {
    expect((await ask("POST", path, { token })).status).toBe(200);
  };
  const beside = {
    ...farEnds,
    rep: browser,
    organisationId: rep.organisationId,
    toAda,
    toBob,
    mediaConnectionId,
    read,
    until,
    /** Reloads the page, with its call to Bob. */
    async rejoin(): Promise<void> {
      const next = await openTestBrowser();
      onTestFinished(() => next.close());
      next.sendTone(repHz);
      const asked = await ask("POST", `/v1/calls/${toBob}/media`, { token, body: { offer: next.offer } });
      await next.acceptAnswer(asked.json.answer);
      Object.assign(beside, { rep: next, mediaConnectionId: asked.json.mediaConnectionId });
    },
    change: (callSid: string, body: object) => ask("PATCH", `/v1/calls/${callSid}`, { token, body }),
    join: () => post(`/v1/calls/${toBob}/join`),
    complete: () => post(`/v1/calls/${toBob}/complete-transfer`),
    hangUpOn: (callSid: string) => post(`/v1/calls/${callSid}/hang-up`),
  };
  return beside;
}
type Beside = Awaited<ReturnType<typeof consult>>;

/** Checks who hears whom. */
async function expectHeard({ rep, ada, bob }: Beside, wanted: { rep: number[]; ada?: number[]; bob?: number[] }) {
  const [byRep, byAda, byBob] = await Promise.all([
    heardBy(rep, ...wanted.rep),
    wanted.ada && heardBy(ada, ...wanted.ada),
    wanted.bob && heardBy(bob, ...wanted.bob),
  ]);
  expect({ rep: byRep, ada: byAda, bob: byBob }).toEqual({ rep: wanted.rep, ada: wanted.ada, bob: wanted.bob });
}

const expectTune = async (farEnd: RtpEndpoint): Promise<void> =>
  vi.waitFor(async () => expect(loudness(await farEnd.listen(500))).toBeGreaterThan(50));

/** The page shows both lines as before. */
async function expectRows(
  { read, toAda, toBob, mediaConnectionId }: Beside,
  ...wanted: [Partial<Call>, Partial<Call>]
) {
  const rows = await Promise.all([toAda, toBob].map(read));
  const ends = rows.map(({ cause }) => cause?.reason).join(", ");
  expect(rows, `ended as ${ends}; the server says: ${before}${leadline.log()}`).toMatchObject(
    wanted.map((each) => ({ status: "in-progress", mediaConnectionId, ...each })),
  );
}

/** Chromium doesn't play a stream again after another one has replaced it, so none may come back. */
function expectNoStreamAgain({ packets }: TestBrowser): void {
  const streams = packets.map(({ ssrc }) => ssrc).filter((ssrc, i, all) => ssrc !== all[i - 1]);
  expect(streams).toEqual([...new Set(streams)]);
}

/** Waits until a snapshot of each call is stored, once each. */
const untilSnapshotsAreStored = (callSids: readonly string[]) =>
  vi.waitFor(async () => {
    const inRows = callSids.map((callSid) => `'${callSid}'`).join();
    const rows = await asSuperuser([`select call_sid, held from calls where call_sid in (${inRows})`], own.name);
    const isWritten = rows.map(async ({ call_sid, held }) => {
      const { media, waitsForOther } = await readCallSnapshot(String(call_sid), { database: own.name, dataDir });
      return media !== null && (held === false || waitsForOther === true);
    });
    expect(await Promise.all(isWritten)).toEqual(callSids.map(() => true));
  });

async function restart(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await leadline.stop(signal);
  before = leadline.log();
  await start();
}

test("second-line calls resume as they were after a crash and a stop, and can be swapped, joined, left and hung up", async () => {
  const [consulted, swapped, joined, left, alone, first] = await Promise.all([
    consult(),
    consult(),
    consult(),
    consult(),
    consult(),
    consult(),
  ]);
  await swapped.change(swapped.toAda, { held: false });
  await joined.join();
  await joined.change(joined.toBob, { silenced: true });
  await left.complete();
  await alone.hangUpOn(alone.toAda);
  await alone.rejoin();
  await first.hangUpOn(first.toBob);
  const expectAll = async (): Promise<void> => {
    await Promise.all([
      expectHeard(consulted, { rep: [bobHz], ada: [], bob: [repHz] }),
      expectTune(consulted.ada),
      expectRows(consulted, { line: 1, held: true }, { line: 2, held: false }),
      expectHeard(swapped, { rep: [adaHz], ada: [repHz], bob: [] }),
      expectTune(swapped.bob),
      expectRows(swapped, { line: 1, held: false }, { line: 2, held: true }),
      expectHeard(joined, { rep: [adaHz], ada: [repHz], bob: [repHz, adaHz] }),
      expectRows(
        joined,
        { line: 1, joinedWith: { callSid: joined.toBob, phoneNumber: bobNumber, callerId: null }, silenced: false },
        { line: 2, joinedWith: { callSid: joined.toAda, phoneNumber: adaNumber, callerId: null }, silenced: true },
      ),
      expectHeard(left, { rep: [], ada: [bobHz], bob: [adaHz] }),
      expectRows(left, { line: null, mediaConnectionId: null }, { line: null, mediaConnectionId: null }),
      expectHeard(alone, { rep: [bobHz], bob: [repHz] }),
      expectRows(alone, { status: "completed", mediaConnectionId: null }, { line: 1 }),
      expectHeard(first, { rep: [adaHz], ada: [repHz] }),
      expectRows(first, { line: 1, held: false }, { status: "completed", mediaConnectionId: null }),
    ]);
  };
  const goingOn = [consulted, swapped, joined, left].flatMap(({ toAda, toBob }) => [toAda, toBob]);
  await untilSnapshotsAreStored([...goingOn, alone.toBob, first.toAda]);
  await restart("SIGKILL");
  await expectAll();
  await restart("SIGTERM");
  await expectAll();

  await consulted.hangUpOn(consulted.toBob);
  await swapped.change(swapped.toBob, { held: false });
  await joined.change(joined.toBob, { silenced: false });
  left.hangUp(left.bob);
  await Promise.all([
    expectHeard(consulted, { rep: [adaHz], ada: [repHz] }),
    expectHeard(swapped, { rep: [bobHz], ada: [], bob: [repHz] }),
    expectHeard(joined, { rep: [adaHz, bobHz], ada: [repHz, bobHz], bob: [repHz, adaHz] }),
    left.until(left.toAda, { status: "completed", cause: { reason: "transferred" }, costMicros: centsAMinute }),
    left.until(left.toBob, { status: "completed", cause: { reason: "transferred" }, costMicros: centsAMinute }),
  ]);
  await joined.hangUpOn(joined.toAda);
  await swapped.join();
  await swapped.complete();
  await Promise.all([
    expectHeard(joined, { rep: [bobHz], bob: [repHz] }),
    expectHeard(swapped, { rep: [], ada: [bobHz], bob: [adaHz] }),
  ]);
  for (const { rep, ada, bob, byes } of [consulted, swapped, joined, left, alone, first]) {
    expectNoStreamAgain(rep);
    expect([byes(ada), byes(bob)]).not.toContain(2);
  }
  expect(left.byes(left.ada)).toBe(1);
});

test("of two calls after a crash, the one that can't resume ends with its cause, and the other becomes the only line", async () => {
  const [withoutBob, withoutAda, leftAlone, ringing, nodeless, carrierless] = await Promise.all([
    consult(),
    consult(),
    consult(),
    consult({ bobAnswers: false }),
    consult(),
    consult(),
  ]);
  await leftAlone.complete();
  const both = [withoutBob, withoutAda, leftAlone, nodeless, carrierless].flatMap(({ toAda, toBob }) => [toAda, toBob]);
  await untilSnapshotsAreStored([...both, ringing.toAda]);
  await leadline.stop("SIGKILL");
  withoutBob.leave(withoutBob.bob);
  withoutAda.leave(withoutAda.ada);
  leftAlone.leave(leftAlone.ada);
  const { media } = await readCallSnapshot(nodeless.toAda, { database: own.name, dataDir });
  const ng = await openNgClient({ host: "127.0.0.1", port: node.port });
  onTestFinished(() => ng.close());
  await ng.ask("delete", { "call-id": String(media.session.callId), "delete-delay": 0 });
  await asSuperuser([`delete from carriers where organisation_id = '${carrierless.organisationId}'`], own.name);
  await start();

  await nodeless.until(nodeless.toBob, { status: "in-progress", line: 1, mediaConnectionId: null });
  await nodeless.rejoin();
  const over = (reason: string) => ({ status: "completed", cause: { reason }, costMicros: centsAMinute });
  await Promise.all([
    expectHeard(withoutBob, { rep: [adaHz], ada: [repHz] }),
    withoutBob.until(withoutBob.toBob, over("hung-up-there")),
    withoutBob.until(withoutBob.toAda, { status: "in-progress", line: 1, held: false }),
    expectHeard(withoutAda, { rep: [bobHz], bob: [repHz] }),
    withoutAda.until(withoutAda.toAda, over("hung-up-there")),
    withoutAda.until(withoutAda.toBob, { status: "in-progress", line: 1, held: false }),
    leftAlone.until(leftAlone.toAda, over("transferred")),
    leftAlone.until(leftAlone.toBob, over("transferred")),
    expectHeard(ringing, { rep: [adaHz], ada: [repHz] }),
    ringing.until(ringing.toBob, { status: "failed", cause: { reason: "server-restarted" }, costMicros: 0 }),
    ringing.until(ringing.toAda, { status: "in-progress", line: 1, held: false }),
    nodeless.until(nodeless.toAda, over("media-lost")),
    expectHeard(nodeless, { rep: [bobHz], bob: [repHz] }),
    carrierless.until(carrierless.toAda, over("server-restarted")),
    carrierless.until(carrierless.toBob, over("server-restarted")),
  ]);
  expect([leftAlone.byes(leftAlone.bob), nodeless.byes(nodeless.ada), nodeless.byes(nodeless.bob)]).toEqual([1, 1, 0]);
  for (const { rep } of [withoutBob, withoutAda, ringing]) expectNoStreamAgain(rep);
});
