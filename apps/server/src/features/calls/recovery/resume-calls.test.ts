import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import type { Call } from "@leadline/contract/calls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openNgClient } from "../../../media-plane/rtpengine/ng-client.ts";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { asksProcess } from "../../../testing/asks-process.ts";
import { asSuperuser, ownMigratedDatabase } from "../../../testing/own-database.ts";
import { readCallSnapshot } from "../../../testing/read-call-snapshot.ts";
import { type LeadlineProcess, startProcess } from "../../../testing/start-process.ts";

const own = await ownMigratedDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "leadline-resumed-"));
const sound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const centsAMinute = 20_000;
let stage: Stage;
let node: Rtpengine;
let leadline: LeadlineProcess;
const { ask, newRep } = asksProcess(() => leadline.origin);

async function start(): Promise<void> {
  const RTPENGINES = `udp:127.0.0.1:${node.port}`;
  leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: own.url, LOG_LEVEL: "fatal", RTPENGINES });
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

/** A far end behind its own trunk that takes calls, and accepts REFERs without reporting on them. */
async function openFarEnd() {
  let gone = false;
  let described = sound;
  const peer = await openSipPeer({
    onHeard(heard) {
      const headers = [`Contact: <sip:peer@127.0.0.1:${peer.port}>`, "Allow: INVITE, ACK, BYE, REFER, NOTIFY"];
      if (heard.what === "INVITE" && gone) heard.reply(481);
      else if (heard.what === "INVITE") heard.reply(200, { headers, body: described });
      else if (heard.what === "REFER") heard.reply(202, { headers });
      else if (/^(BYE|OPTIONS|NOTIFY)$/.test(heard.what)) heard.reply(200);
    },
  });
  onTestFinished(() => peer.close());
  function hold(): void {
    described = sound.replace("a=sendrecv", "a=sendonly");
    const [invite] = peer.heard("INVITE");
    if (invite) peer.sendIn(invite, "UPDATE", { cseq: 1, body: described });
  }
  return { ...peer, hold, resumeUnheard: () => void (described = sound), leave: () => void (gone = true) };
}

/** A person in a call whose audio an rtpengine carries. */
async function talk({ localPort = 0, pricePerMinute = centsAMinute } = {}) {
  const farEnd = await openFarEnd();
  const rep = await newRep();
  const { token } = rep;
  const settings = { host: `127.0.0.1:${farEnd.port}`, transport: "udp", authentication: "ip", localPort };
  const body = { kind: "sip-trunk", label: "Trunk", settings, pricePerMinute };
  await ask("POST", "/v1/carriers", { token, body });
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  const asked = { phoneNumber: "+12025550100", offer: browser.offer };
  const { callSid, answer } = (await ask("POST", "/v1/calls", { token, body: asked })).json;
  // Incoming audio shows that the person is there.
  await browser.acceptAnswer(answer);
  const read = async (): Promise<Call> => (await ask("GET", `/v1/calls/${callSid}`, { token })).json;
  return { rep, farEnd, callSid, session: await storedMedia(callSid), read };
}

/** The audio part of the call's snapshot, once it is stored and matches. */
const storedMedia = (callSid: string) =>
  vi.waitFor(async () => {
    const { media } = await readCallSnapshot(callSid, { database: own.name, dataDir });
    expect(media.session).toMatchObject({ callId: expect.any(String) });
    return { "call-id": String(media.session.callId) };
  });

const ended = (call: { read(): Promise<Call> }) =>
  vi.waitFor(async () => {
    const now = await call.read();
    expect(now.status).toBe("completed");
    return now;
  });

/** Occupies the port until closed. */
async function occupy(port: number) {
  const socket = createSocket("udp4");
  socket.bind(port, "0.0.0.0");
  await once(socket, "listening");
  let open = true;
  const close = (): void => void (open && socket.close(), (open = false));
  onTestFinished(close);
  return { close };
}

/** Answered two hours and a minute ago, and last seen two hours ago. */
const twoHoursAgo = [
  "update processes set seen_at = now() - interval '7200 s'",
  "update calls set answered_at = now() - interval '7260 s', seen_at = now() - interval '7200 s'",
];
const oneMinute = { durationMs: expect.closeTo(60_000, -2), costMicros: centsAMinute };

test("calls resume after a restart as they were; those that can't end as of when they were last seen, at both ends", async () => {
  const [latePort, takenPort] = [await freePort(), await freePort()];
  const goesOn = await talk({ localPort: latePort });
  const switchedPort = await freePort();
  const switched = await talk({ localPort: switchedPort });
  // Without a price, the trunk transfers the call itself.
  const sent = await talk({ pricePerMinute: 0 });
  const gone = await talk();
  const silent = await talk();
  const refused = await talk({ localPort: takenPort });
  const other = { host: `127.0.0.1:${switched.farEnd.port}`, transport: "udp", authentication: "ip" };
  const instead = { kind: "sip-trunk", label: "Other trunk", settings: other };
  expect((await ask("POST", "/v1/carriers", { token: switched.rep.token, body: instead })).status).toBe(201);
  const transfer = { token: sent.rep.token, body: { phoneNumber: "+12025550104" } };
  await ask("POST", `/v1/calls/${sent.callSid}/transfer`, transfer);
  await vi.waitFor(() => expect(sent.farEnd.heard("REFER")).toHaveLength(1));
  expect(sent.farEnd.heard("INVITE").at(-1)?.body).toContain("a=sendonly");

  for (const call of [goesOn, switched]) {
    call.farEnd.hold();
    await vi.waitFor(async () => expect(await call.read()).toMatchObject({ heldByThem: true }));
  }

  const processes = () => asSuperuser(["select distinct process_key from calls"], own.name);
  const before = await processes();
  await leadline.stop("SIGKILL");
  await asSuperuser(twoHoursAgo, own.name);
  gone.farEnd.leave();
  goesOn.farEnd.resumeUnheard();
  const ng = await openNgClient({ host: "127.0.0.1", port: node.port });
  onTestFinished(() => ng.close());
  await ng.ask("delete", { ...silent.session, "delete-delay": 0 });
  const former = await occupy(latePort);
  await occupy(takenPort);
  const starting = start();
  // A whole server starts.
  await vi.waitFor(async () => expect(await processes()).not.toEqual(before), 60_000);
  former.close();
  await starting;

  expect(await ended(gone)).toMatchObject({ cause: { reason: "hung-up-there", sip: 481 }, ...oneMinute });
  expect(await ended(silent)).toMatchObject({ cause: { reason: "media-lost" }, ...oneMinute });
  expect(silent.farEnd.heard("BYE")).toHaveLength(1);
  expect(await ended(refused)).toMatchObject({ cause: { reason: "server-restarted" }, ...oneMinute });
  // The node has dropped the rep's side, so the next far end is a new party to it.
  expect(JSON.stringify(await ng.ask("query", refused.session))).toContain("far-2");

  for (const call of [goesOn, switched, sent])
    expect(await call.read()).toMatchObject({ status: "in-progress", held: false });
  expect((await sent.read()).transfer).toMatchObject({ status: "unknown" });
  await vi.waitFor(() => expect(sent.farEnd.heard("INVITE").at(-1)?.body).toContain("a=sendrecv"));
  expect(switched.farEnd.heard("INVITE").length).toBeGreaterThan(1);
  // Through the trunk it began with, which is no longer in use.
  expect(switched.farEnd.heard("INVITE").at(-1)?.header("contact")).toContain(`:${switchedPort}`);
  await vi.waitFor(async () => expect(await goesOn.read()).toMatchObject({ heldByThem: false }));
  expect(await switched.read()).toMatchObject({ heldByThem: true });
  // Its audio has flowed all along.
  await ask("POST", `/v1/calls/${goesOn.callSid}/hang-up`, { token: goesOn.rep.token });
  expect((await goesOn.read()).durationMs).toBeGreaterThan(7_260_000);
  expect(goesOn.farEnd.heard("BYE")).toHaveLength(1);
  const unseen = await asSuperuser(["select call_sid from calls where resumed_unseen"], own.name);
  const notReached = [gone, silent, refused].map(({ callSid }) => callSid);
  expect(new Set(unseen.map(({ call_sid }) => call_sid))).toEqual(new Set(notReached));
});
