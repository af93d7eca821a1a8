import { makeCertificate } from "@leadline/carrier-sip-trunk/testing/make-certificate";
import { startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { startTurnServer, type TurnServer } from "@leadline/carrier-sip-trunk/testing/start-turn-server";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openNgClient } from "../apps/server/src/media-plane/rtpengine/ng-client.ts";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openSharedProfile } from "./support/people.ts";
import { askAt, openAs, type Person, signUp } from "../testing/sign-up.ts";
import { type RunningApp, startApp } from "../testing/start-app.ts";
import { writeTone } from "./support/tone.ts";
import {
  calleeHz,
  callerHz,
  callIn,
  expectCallee,
  holdAndResume,
  incoming,
  ownNumber,
  startOver,
} from "./support/trunk-call.ts";
import { colleagueHz, waitUntilHeard, waitUntilHeardThere } from "./support/speakers.ts";
import {
  askForTransfer,
  connectTrunk,
  startTrunk,
  type StartedTrunk,
  trunkJourneys,
} from "./support/trunk-journeys.ts";

const turnSecret = "shared with nobody else";
let browser: Browser;
let stage: Stage;
let nodes: Rtpengine[];
let turn: TurnServer;
let app: RunningApp;
let trunk: StartedTrunk;
let person: Person;
let context: BrowserContext;
let page: Page;
let changeTrunk: (settings: object) => Promise<void>;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  const { peers, folder } = stage;
  nodes = await Promise.all([1, 2].map(() => stage.keep(startRtpengine(peers, { folder }))));
  trunk = await startTrunk(stage);
  turn = await stage.keep(startTurnServer(peers, { folder, secret: turnSecret }));
  const RTPENGINES = nodes.map(({ port }) => `udp:127.0.0.1:${port}`).join(",");
  app = await startApp({ env: { RTPENGINES, TURN_URLS: turn.url, TURN_SECRET: turnSecret } });
  person = await signUp(app.address, { organisation: "Harbour" });
  changeTrunk = await connectTrunk(trunk, { address: app.address, person });
  context = await openSharedProfile(browser, { baseURL: app.address });
  page = await openAs(context, person);
});
afterEach(({ task }) =>
  task.result?.state === "fail" ? startOver(page, { address: app.address, person }) : undefined,
);
afterAll(async () => {
  await browser.close();
  await app.stop();
  await stage.close();
});
const calls = () => askAt(app.address, "/v1/calls", { token: person.token });

trunkJourneys(() => ({ ...trunk, stage, page, changeTrunk }));

test("a call survives a killed, stopped and restarted server: it can be held, resumed, and hung up by the far end", async () => {
  await dial(page, number("01"));
  await untilAnswered(page);
  await expectCallee(page);
  expect(await findCarrying()).toBeDefined();
  const missed = page.getByText("Leadline isn’t responding. Reconnecting…");
  await app.restart("SIGKILL", async () => {
    await expectCallee(page);
    await missed.waitFor();
  });
  await missed.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Hide" }).click();
  await expectHoldAndResume();

  await app.restart("SIGTERM", () => expectCallee(page));
  await expectHangUpThere();
});

test("an inbound call survives a killed and restarted server", async () => {
  await callIn(trunk.callee, { number: ownNumber, registrar: trunk.port }, page);
  const [ringing] = await calls();
  expect(ringing).toMatchObject({ direction: "inbound", status: "ringing" });
  await incoming(page).getByRole("button", { name: "Answer" }).click();
  await untilAnswered(page);
  await expectCallee(page);
  await app.restart("SIGKILL", () => expectCallee(page));
  await expectHoldAndResume();
  await expectHangUpThere();
});

test("an encrypted call stays encrypted through a killed and restarted server", async () => {
  const { peers, folder } = stage;
  const tls = await makeCertificate(peers, folder, "127.0.0.1");
  const account = ";answermode=auto;mediaenc=srtp-mand";
  const lines = [`sip_certificate ${tls.both}`, "module srtp.so"];
  const callee = await stage.keep(
    startBaresip(peers, { folder, user: number("04"), account, toneHz: calleeHz, lines }),
  );
  const host = `127.0.0.1:${callee.port + 1}`;
  const sealed = { host, transport: "tls", authentication: "ip", mediaEncryption: "required" };
  await changeTrunk({ ...sealed, certificateAuthority: tls.authority });
  await dial(page, number("04"));
  await untilAnswered(page);
  await expectCallee(page);
  expect(await findCarrying()).toBeDefined();
  await app.restart("SIGKILL", () => expectCallee(page));
  await waitUntilHeardThere(callee, callerHz);
  await page.getByRole("button", { name: "Hide" }).click();
  await expectHoldAndResume();
  await hangUp(page);
});

test("a conference survives a killed and restarted server: all three hear each other, and continue when one leaves", async () => {
  const { colleague } = trunk;
  // This callee echoes what it hears, which shows who is heard there, even after a hold.
  await dial(page, number("21"));
  await untilAnswered(page);
  await askForTransfer(page, number("02"));
  await page.getByRole("button", { name: "Talk first" }).click();
  await waitUntilHeard(page, colleagueHz);
  await page.getByRole("button", { name: "Merge calls" }).click();
  await waitUntilHeard(page, callerHz, colleagueHz);
  await app.restart("SIGKILL");
  await waitUntilHeard(page, callerHz, colleagueHz);
  await waitUntilHeardThere(colleague, callerHz, colleagueHz);
  const conference = page.getByRole("region", { name: "Conference" });
  await expect.poll(() => conference.getByRole("listitem").count()).toBe(2);
  colleague.command("hangup");
  await conference.waitFor({ state: "detached" });
  await waitUntilHeard(page, callerHz);
  await hangUp(page);
});

test("a page that is reloaded without a call takes its audio session off the rtpengine", async () => {
  const sessions = async () => (await Promise.all(nodes.map(countSessions))).reduce((sum, count) => sum + count);
  for (let loads = 0; loads < 3; loads += 1) {
    await page.goto("/calls");
    await expect.poll(() => page.evaluate(() => window.peers.at(-1)?.connectionState)).toBe("connected");
  }
  await expect.poll(sessions).toBe(1);
});

/** Until the far end's tone is back. */
async function expectHoldAndResume(): Promise<void> {
  await holdAndResume(page);
  await expectCallee(page);
}

/**
 * The duration counts from the answer, in whichever process, and outbound calls are charged for it. Inbound ones are
 * free.
 */
async function expectHangUpThere(): Promise<void> {
  const live = (await calls()).find(({ status }: { status: string }) => status === "in-progress");
  expect(live).toMatchObject({ cause: null });
  const talkedMs = Date.now() - Date.parse(live.answeredAt);
  trunk.callee.command("hangup");
  expect(await endedSentence(page)).toBe("They hung up.");
  const ended = (await calls()).find(({ callSid }: { callSid: string }) => callSid === live.callSid);
  expect(ended).toMatchObject({ status: "completed", cause: { reason: "hung-up-there" } });
  expect(ended.durationMs).toBeGreaterThan(talkedMs - 1_000);
  expect(ended.durationMs).toBeLessThan(Date.now() - Date.parse(live.answeredAt) + 1_000);
  const minutes = live.direction === "outbound" ? Math.ceil(ended.durationMs / 60_000) : 0;
  expect(ended.costMicros).toBe(minutes * 20_000);
}

test("a call whose rtpengine dies ends with a reason, and the other rtpengine carries the next one", async () => {
  await dial(page, number("01"));
  await untilAnswered(page);
  await expectCallee(page);
  (await findCarrying())?.process.kill("SIGKILL");
  expect(await endedSentence(page)).toBe("The media server for this call stopped. Call again.");
  const [ended] = await calls();
  expect(ended).toMatchObject({ status: "completed", cause: { reason: "media-lost" } });

  await dial(page, number("01"));
  await untilAnswered(page);
  await expectCallee(page);
  await hangUp(page);
});

test("a browser that can only reach the TURN server calls through it, and only with credentials from here", async () => {
  const { iceServers } = await askAt(app.address, "/v1/media-configuration", { token: person.token });
  expect(iceServers).toMatchObject([{ urls: [turn.url], username: expect.stringMatching(/^\d+:[0-9a-f-]{36}$/) }]);
  const relayed = await openSharedProfile(browser, { baseURL: app.address });
  await relayed.addInitScript(() => {
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super({ ...configuration, iceTransportPolicy: "relay" });
      }
    };
  });
  const inside = await openAs(relayed, person);
  await dial(inside, number("01"));
  await untilAnswered(inside);
  await expectCallee(inside);
  const ways = await inside.evaluate(async () => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === "connected");
    const types: string[] = [];
    (await peer?.getStats())?.forEach((entry: { type: string; candidateType?: string }) => {
      if (entry.type === "local-candidate") types.push(entry.candidateType ?? "");
    });
    return types;
  });
  expect(new Set(ways)).toEqual(new Set(["relay"]));
  await hangUp(inside);
  const [server] = iceServers;
  expect(await countRelays(inside, server)).toBeGreaterThan(0);
  expect(await countRelays(inside, { ...server, credential: "made up" })).toBe(0);
  await relayed.close();
});

/** Counts the relay candidates that the browser gets from that server. */
const countRelays = (from: Page, server: RTCIceServer): Promise<number> =>
  from.evaluate(async (given) => {
    const peer = new RTCPeerConnection({ iceServers: [given] });
    peer.addTransceiver("audio");
    let relays = 0;
    const gathered = new Promise<void>((resolve) => {
      peer.addEventListener("icecandidate", ({ candidate }) => {
        if (candidate?.type === "relay") relays += 1;
        if (candidate === null) resolve();
      });
    });
    await peer.setLocalDescription();
    await gathered;
    peer.close();
    return relays;
  }, server);

/** The rtpengine with the page's session. Another one that it opened at the start of the call may exist briefly. */
async function findCarrying(): Promise<Rtpengine | undefined> {
  let counts: number[] = [];
  const count = async () => (counts = await Promise.all(nodes.map(countSessions))).toSorted();
  await expect.poll(count).toEqual([0, 1]);
  return nodes[counts.indexOf(1)];
}

/** According to rtpengine. */
async function countSessions({ port }: Rtpengine): Promise<number> {
  const client = await openNgClient({ host: "127.0.0.1", port });
  const answer = await client.ask("list", { limit: 100 });
  client.close();
  return Array.isArray(answer["calls"]) ? answer["calls"].length : -1;
}
