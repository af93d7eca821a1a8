import { number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Baresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { type Rtpengine, startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { openNgClient } from "../apps/server/src/media-plane/rtpengine/ng-client.ts";
import { dial, endedSentence, hangUp, untilAnswered } from "./support/dial.ts";
import { pitchOf, record } from "./support/ears.ts";
import { openBrowser } from "./support/open-browser.ts";
import { openSharedProfile, takePictures } from "./support/people.ts";
import { askAt, openAs, type Person, signUp } from "./support/sign-up.ts";
import { type RunningApp, startApp } from "./support/start-app.ts";
import { writeTone } from "./support/tone.ts";
import { callerHz, expectCallee, expectWholeCall, startCallee, trunkSettings } from "./support/trunk-call.ts";

let browser: Browser;
let stage: Stage;
let nodes: Rtpengine[];
let app: RunningApp;
let callee: Baresip;
let person: Person;
let context: BrowserContext;
let page: Page;
let changeTrunk: (settings: object) => Promise<unknown>;
let trunk: number;
let early: number;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  const { peers, folder } = stage;
  nodes = await Promise.all([1, 2].map(() => stage.keep(startRtpengine(peers, { folder }))));
  callee = await startCallee(stage);
  early = await stage.sipp({ scenario: "early-media", echoes: true });
  trunk = (await stage.kamailio({ callees: { "01": callee.port } })).port;
  const RTPENGINES = nodes.map(({ port }) => `udp:127.0.0.1:${port}`).join(",");
  app = await startApp({ env: { RTPENGINES } });
  person = await signUp(app.address, { organisation: "Harbour" });
  const { token } = person;
  const body = { kind: "sip-trunk", label: "Trunk", settings: trunkSettings(trunk) };
  const { id } = await askAt(app.address, "/v1/carriers", { body, token });
  changeTrunk = (settings) => askAt(app.address, `/v1/carriers/${id}`, { method: "PUT", body: { settings }, token });
  context = await openSharedProfile(browser, { baseURL: app.address });
  page = await openAs(context, person);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
  await stage.close();
});
const takePicture = (): void => onTestFailed(() => takePictures(context));

test("a call whose sound an rtpengine carries is heard at both ends, brings keys once, and is held and resumed", async () => {
  takePicture();
  await expectWholeCall(page, callee);
  expect((await Promise.all(nodes.map(countSessions))).toSorted()).toEqual([0, 1]);
});

test("what a trunk says before the answer is heard through an rtpengine", async () => {
  takePicture();
  await changeTrunk({ ...trunkSettings(trunk), host: `127.0.0.1:${early}`, authentication: "ip" });
  await dial(page, number("02"));
  await expect.poll(async () => Math.abs(pitchOf(await record(page, 300)) - callerHz)).toBeLessThanOrEqual(10);
  await untilAnswered(page);
  await hangUp(page);
  await changeTrunk(trunkSettings(trunk));
});

test("the call of an rtpengine that dies ends with its reason, and the next one is carried by the other", async () => {
  takePicture();
  await dial(page, number("01"));
  await untilAnswered(page);
  await expectCallee(page);
  const [held, other] = await Promise.all(nodes.map(countSessions));
  expect([held, other].toSorted()).toEqual([0, 1]);
  nodes[held === 1 ? 0 : 1]?.process.kill("SIGKILL");
  expect(await endedSentence(page)).toBe("The server that carried the call’s sound stopped. Call again.");
  const [ended] = await askAt(app.address, "/v1/calls", { token: person.token });
  expect(ended).toMatchObject({ status: "completed", cause: { reason: "media-lost" } });

  await dial(page, number("01"));
  await untilAnswered(page);
  await expectCallee(page);
  await hangUp(page);
});

/** By rtpengine's own count. */
async function countSessions({ port }: Rtpengine): Promise<number> {
  const client = await openNgClient({ host: "127.0.0.1", port });
  const answer = await client.ask("list", { limit: 100 });
  client.close();
  return Array.isArray(answer["calls"]) ? answer["calls"].length : -1;
}
