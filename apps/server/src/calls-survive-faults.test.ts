import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { openSipPeer } from "@leadline/carrier-sip-trunk/testing/sip-peer";
import { account, openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Call } from "@leadline/contract/calls";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type BreakableDatabase, breakableDatabase } from "./testing/breakable-database.ts";
import { toneFile } from "./testing/left-messages.ts";
import { asksProcess, type ProcessRep as Rep } from "./testing/asks-process.ts";
import { asSuperuser, ownMigratedDatabase } from "./testing/own-database.ts";
import { type LeadlineProcess, startProcess } from "./testing/start-process.ts";

const someSound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const dataDir = mkdtempSync(join(tmpdir(), "leadline-faults-"));
const own = await ownMigratedDatabase();
let database: BreakableDatabase;
let leadline: LeadlineProcess;
const start = async () => {
  leadline = await startProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: "fatal" });
};
beforeAll(async () => {
  database = await breakableDatabase(own.url);
  await start();
});
/** Whatever the test before left behind. */
beforeEach(async () => {
  database.mend();
  const { exitCode, signalCode } = leadline.child;
  if (exitCode !== null || signalCode !== null) await start();
});
afterAll(async () => {
  database.mend();
  await leadline.stop("SIGTERM");
  database.close();
  await own.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const { ask, newRep, attend } = asksProcess(() => leadline.origin);
const dial = (rep: Rep, phoneNumber: string, key?: string) =>
  ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber }, ...(key !== undefined && { key }) });
const hangUp = (rep: Rep, callSid: string) => ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
const callsOf = async (rep: Rep): Promise<Call[]> => (await ask("GET", "/v1/calls", { token: rep.token })).json;
const until = <T>(look: () => Promise<T>): Promise<T> => vi.waitFor(look, { interval: 200 });

test("a call answered while the database is down is in progress once it is back, and ends normally", async () => {
  const rep = await newRep();
  // A number that rings for three seconds.
  const { callSid } = (await dial(rep, "+12025550155")).json;
  await sleep(2000);
  database.cut();
  await sleep(2500);
  database.mend();
  const answered = await until(async () => {
    const [call] = await callsOf(rep);
    expect(call?.status).toBe("in-progress");
    return call;
  });
  expect(answered?.answeredAt).not.toBeNull();
  expect((await hangUp(rep, callSid)).json).toMatchObject({ status: "completed", cause: { reason: "hung-up-here" } });
  const again = await dial(rep, "+12025550100");
  expect(again.status).toBe(201);
  await hangUp(rep, again.json.callSid);
});

test("a start whose commit got no response leaves no orphaned call, and the same request can dial again", async () => {
  const rep = await newRep();
  const key = randomUUID();
  database.cutAtCommitOf('insert into "calls"');
  expect((await dial(rep, "+12025550100", key)).status).toBe(503);
  const again = await dial(rep, "+12025550100", key);
  expect(again.status).toBe(201);
  await until(async () => {
    const calls = await callsOf(rep);
    expect(calls.filter(({ endedAt }) => endedAt === null).map((call) => call.status)).toEqual(["in-progress"]);
    expect(calls[0]?.callSid).toBe(again.json.callSid);
  });
  expect((await hangUp(rep, again.json.callSid)).json.status).toBe("completed");
});

test("a second-line call whose commit got no response leaves the first one as it was", async () => {
  const rep = await newRep();
  const stream = await attend(rep);
  const { callSid } = (await dial(rep, "+12025550100")).json;
  const consult = () =>
    ask("POST", `/v1/calls/${callSid}/consultation`, { token: rep.token, body: { phoneNumber: "+12025550101" } });
  await until(async () => expect((await callsOf(rep))[0]?.status).toBe("in-progress"));
  database.cutAtCommitOf('insert into "calls"');
  expect((await consult()).status).toBe(503);
  await until(async () =>
    expect(await callsOf(rep)).toMatchObject([{ status: "failed" }, { callSid, status: "in-progress", held: false }]),
  );
  expect((await consult()).status).toBe(201);
  await hangUp(rep, callSid);
  await hangUp(rep, (await callsOf(rep))[0]?.callSid ?? "");
  stream.destroy();
});

// They don't affect each other, and one waits for half a minute.
describe.concurrent("without a fault of the server,", () => {
  test("a user who switches organisations while a call starts is either in the call's organisation or not in a call", async () => {
    const rep = await newRep();
    const other = (await ask("POST", "/v1/organisations", { token: rep.token, body: { name: "Other" } })).json;
    for (let round = 0; round < 12; round++) {
      const target = round % 2 === 0 ? rep.organisationId : other.id;
      const [started, changed] = await Promise.all([
        dial(rep, "+12025550100"),
        ask("PUT", `/v1/users/set-organisation/${target}`, { token: rep.token }),
      ]);
      expect([200, 409]).toContain(changed.status);
      // Both may succeed if the call began after the switch: then it belongs to the new organisation.
      const callsHere = (await callsOf(rep)).map(({ callSid }) => callSid);
      const begun: string[] = started.status === 201 ? [started.json.callSid] : [];
      expect(callsHere).toEqual(expect.arrayContaining(begun));
      const hungUp = await Promise.all(begun.map((callSid) => hangUp(rep, callSid)));
      expect(hungUp.map(({ status }) => status)).toEqual(begun.map(() => 200));
      await ask("PUT", `/v1/users/set-organisation/${target}`, { token: rep.token });
    }
  });

  test("a tab whose machine vanished keeps no call alive, though its stream was never closed", async () => {
    const rep = await newRep();
    const stream = await attend(rep);
    const { callSid } = (await dial(rep, "+12025550100")).json;
    await sleep(17_000);
    expect((await ask("GET", `/v1/calls/${callSid}`, { token: rep.token })).json.status).toBe("in-progress");
    await until(async () => {
      const { json } = await ask("GET", `/v1/calls/${callSid}`, { token: rep.token });
      expect(json).toMatchObject({ status: "completed", cause: { reason: "left" } });
    });
    stream.destroy();
  });
});

test("a call ends with its user's last session", async () => {
  const rep = await newRep();
  const stream = await attend(rep);
  await dial(rep, "+12025550100");
  const [session] = (await ask("GET", "/v1/sessions", { token: rep.token })).json;
  await ask("DELETE", `/v1/sessions/${session.id}`, { token: rep.token });
  const { activeCalls } = await until(async () => {
    const metrics = await (await fetch(`${leadline.origin}/api/metrics`)).text();
    const count = /^leadline_live_calls (\d+)$/m.exec(metrics)?.[1];
    expect(count).toBe("0");
    return { activeCalls: Number(count) };
  });
  expect(activeCalls).toBe(0);
  stream.destroy();
});

/** A caller is speaking to voicemail, and keeps speaking. */
async function leaveHalfAMessage() {
  const rep = await newRep();
  const form = new FormData();
  form.append("file[]", new File([new Uint8Array(toneFile(620, 600))], "hello.wav"));
  const headers = { authorization: `Bearer ${rep.token}` };
  const sent = await fetch(`${leadline.origin}/api/v1/voicemail/greetings`, { method: "POST", headers, body: form });
  const { id: greetingId } = await sent.json();
  await ask("PUT", "/v1/voicemail", { token: rep.token, body: { enabled: true, greetingId } });
  const stage = await openStage();
  onTestFinished(() => stage.close());
  const { peers, folder } = stage;
  const caller = await stage.keep(startBaresip(peers, { folder, user: "+442071838750", toneHz: 440 }));
  const { port } = await stage.kamailio({ callees: {} });
  // A number belongs to one organisation at a time.
  const number = `+442079460${(lastThree += 1)}`;
  const settings = { host: `127.0.0.1:${port}`, transport: "udp", numbers: [number], ...account };
  await ask("POST", "/v1/carriers", { token: rep.token, body: { kind: "sip-trunk", label: "Trunk", settings } });
  await until(async () => {
    const [carrier] = (await ask("GET", "/v1/carriers", { token: rep.token })).json;
    expect(carrier.state.level).toBe("working");
  });
  const files = () => readdirSync(join(dataDir, "files"));
  const before = files();
  caller.command("dial", `sip:${number}@127.0.0.1:${port}`);
  const file = await until(async () => {
    const [name = ""] = files().filter((one) => !before.includes(one));
    const path = join(dataDir, "files", name);
    expect(name === "" ? 0 : statSync(path).size).toBeGreaterThan(bytesOfASecond);
    return path;
  });
  return { rep, file, caller };
}

let lastThree = 122;
const bytesOfASecond = 16_000;

/** A far end behind a trunk, in a call with a rep of its own. */
async function talkThroughTrunk() {
  const farEnd = await openSipPeer({
    onHeard(heard) {
      const headers = [`Contact: <sip:peer@127.0.0.1:${farEnd.port}>`];
      if (heard.what === "INVITE") heard.reply(200, { headers, body: someSound });
      else if (/^(BYE|OPTIONS)$/.test(heard.what)) heard.reply(200);
    },
  });
  onTestFinished(() => farEnd.close());
  const rep = await newRep();
  const { token } = rep;
  const settings = { host: `127.0.0.1:${farEnd.port}`, transport: "udp", authentication: "ip" };
  await ask("POST", "/v1/carriers", { token, body: { kind: "sip-trunk", label: "Trunk", settings } });
  const key = randomUUID();
  const { callSid } = (await dial(rep, "+12025550100", key)).json;
  await until(async () => {
    const [row] = await asSuperuser([`select remembered from calls where call_sid = '${callSid}'`], own.name);
    expect(row).toMatchObject({ remembered: expect.any(String) });
  });
  return { farEnd, rep, callSid, key };
}

test("after a kill and restart, a call has ended when it was last seen, for its far end too; its start can't dial again, and its rep can call again", async () => {
  const rep = await newRep();
  const { farEnd, ...talked } = await talkThroughTrunk();
  const { callSid } = (await dial(rep, "+12025550100")).json;
  await sleep(6500);
  await leadline.stop("SIGKILL");
  await start();
  const { json } = await ask("GET", `/v1/calls/${callSid}`, { token: rep.token });
  expect(json).toMatchObject({ status: "completed", cause: { reason: "server-restarted" } });
  expect(json.durationMs).toBeGreaterThan(1000);
  expect(json.durationMs).toBeLessThan(8000);
  await until(async () => expect(farEnd.heard("BYE")).toHaveLength(1));
  const rung = farEnd.heard("INVITE").length;
  const repeated = await dial(talked.rep, "+12025550100", talked.key);
  expect(repeated).toEqual({ status: 201, json: { callSid: talked.callSid } });
  expect(farEnd.heard("INVITE")).toHaveLength(rung);
  const again = await dial(rep, "+12025550100");
  expect(again.status).toBe(201);
  await hangUp(rep, again.json.callSid);
});

test("keeps what a caller was saying to voicemail when the server was killed", async () => {
  const said = await leaveHalfAMessage();
  await leadline.stop("SIGKILL");
  await start();
  expect(shareAt(440, await until(() => soundKept(said)))).toBeGreaterThan(0.9);
});

test("completes a voicemail message before the server stops, and notifies the caller", async () => {
  const said = await leaveHalfAMessage();
  expect(await leadline.stop("SIGTERM")).toBe(0);
  expect(dataBytesOf(readFileSync(said.file))).toBeGreaterThan(bytesOfASecond / 2);
  await until(async () => expect(said.caller.events.map(({ type }) => type)).toContain("CALL_CLOSED"));
  await start();
  expect(shareAt(440, await soundKept(said))).toBeGreaterThan(0.9);
});

test("a server stopped while its database is down exits, and the next start settles its call", async () => {
  const rep = await newRep();
  const { callSid } = (await dial(rep, "+12025550100")).json;
  await until(async () => expect((await callsOf(rep))[0]?.status).toBe("in-progress"));
  database.cut();
  expect(await leadline.stop("SIGTERM")).toBe(1);
  database.mend();
  await start();
  const { json } = await ask("GET", `/v1/calls/${callSid}`, { token: rep.token });
  expect(json).toMatchObject({ status: "completed", cause: { reason: "server-restarted" } });
});

test("a short call whose server is killed is listed with its duration", async () => {
  const rep = await newRep();
  const { callSid } = (await dial(rep, "+12025550100")).json;
  await until(async () => expect((await callsOf(rep))[0]?.status).toBe("in-progress"));
  const answeredAtMs = performance.now();
  await sleep(4500);
  await leadline.stop("SIGKILL");
  const lastedMs = performance.now() - answeredAtMs;
  await start();
  const { json } = await ask("GET", `/v1/calls/${callSid}`, { token: rep.token });
  expect(json).toMatchObject({ status: "completed", cause: { reason: "server-restarted" } });
  // It is recorded every second.
  expect(json.durationMs).toBeGreaterThan(lastedMs - 2500);
  expect(json.durationMs).toBeLessThan(lastedMs + 1000);
});

/** According to the file's header. */
const dataBytesOf = (wave: Buffer): number => wave.readUInt32LE(40);

/** Half a second of the message, once its metadata matches it. */
async function soundKept({ rep, file }: Awaited<ReturnType<typeof leaveHalfAMessage>>): Promise<Int16Array> {
  const [call] = await callsOf(rep);
  expect(call).toMatchObject({ status: "no-answer", cause: { reason: "left-message" }, voicemail: { heardAt: null } });
  const headers = { authorization: `Bearer ${rep.token}` };
  const answer = await fetch(`${leadline.origin}/api/v1/calls/${call?.callSid}/voicemail`, { headers });
  const wave = Buffer.from(await answer.arrayBuffer());
  expect(wave).toEqual(readFileSync(file));
  const dataBytes = dataBytesOf(wave);
  expect(dataBytes).toBe(wave.length - 44);
  expect(dataBytes).toBeGreaterThan(bytesOfASecond / 2);
  expect(Math.abs((call?.voicemail?.durationMs ?? 0) - dataBytes / 16)).toBeLessThan(1);
  return Int16Array.from({ length: 4_000 }, (_, at) => wave.readInt16LE(44 + 2 * (2_000 + at)));
}
