import { number, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startLateRelay } from "@leadline/carrier-sip-trunk/testing/start-late-relay";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFailed, test } from "vitest";
import { dial, hangUp, untilAnswered } from "./support/dial.ts";
import { openBrowser } from "./support/open-browser.ts";
import { newPerson, openSharedProfile, takePictures } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";
import { expectHeardByBoth, untilHeard } from "./support/speakers.ts";
import { writeTone } from "./support/tone.ts";
import { callerHz, callIn, incoming } from "./support/trunk-call.ts";
import { connectTrunk, startTrunk, type StartedTrunk, trunkJourneys } from "./support/trunk-journeys.ts";

let browser: Browser;
let stage: Stage;
let trunk: StartedTrunk;
let page: Page;
let changeTrunk: (settings: object) => Promise<unknown>;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  trunk = await startTrunk(stage);
  const person = await newPerson();
  changeTrunk = await connectTrunk(trunk, { address: inject("appAddress"), person });
  page = await openAs(await openSharedProfile(browser), person);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

trunkJourneys(() => ({ ...trunk, page, changeTrunk }));

const takePicture = (): void => onTestFailed(() => takePictures(page.context()));

test("a callee whose side loses all that comes in the first 3 s over UDP is called until it is there, once", async () => {
  takePicture();
  const { callee, port } = trunk;
  const late = await stage.keep(startLateRelay(port));
  await changeTrunk({ host: `127.0.0.1:${late.port}`, authentication: "digest" });
  callee.events.splice(0);
  await dial(page, number("01"));
  await expectHeardByBoth(page, callee);
  expect(late.lostInvites()).toBeGreaterThan(1);
  expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(1);
  await hangUp(page);
});

test("a call goes to the next of a trunk's servers where one is away, from the start or since the last call", async () => {
  takePicture();
  const { callee, port, echoing } = trunk;
  // Behind this one the same number is somebody else.
  const other = await stage.kamailio({ callees: { "01": echoing } });
  const servers = [await freePort(), other.port, port].map((each) => `127.0.0.1:${each}`);
  await changeTrunk({ host: servers.join(), transport: "tcp", authentication: "digest" });
  callee.events.splice(0);
  await dial(page, number("01"));
  await untilAnswered(page);
  await untilHeard(page, callerHz);
  await hangUp(page);
  await other.stop();
  await dial(page, number("01"));
  await expectHeardByBoth(page, callee);
  await hangUp(page);
  expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(1);
});

test("a registrar that restarts with nobody registered is registered with anew, and calls come and go by way of it", async () => {
  takePicture();
  const { callee } = trunk;
  const callees = { "01": callee.port };
  const registrar = await stage.kamailio({ callees });
  const server = `127.0.0.1:${registrar.port}`;
  await changeTrunk({ host: server, transport: "tcp", keepAliveSeconds: 5 });
  await page.goto("/settings/carriers");
  await page.getByText(`Registered at ${server}.`).waitFor();
  await registrar.stop();
  await untilShown(`${server} does not answer. We keep trying.`);
  await stage.kamailio({ port: registrar.port, callees });
  await untilShown(`Registered at ${server}.`);

  await page.goto("/calls");
  await callIn(callee, registrar.port, page);
  await incoming(page).getByRole("button", { name: "Answer" }).click();
  await expectHeardByBoth(page, callee);
  await hangUp(page);
  await dial(page, number("01"));
  await expectHeardByBoth(page, callee);
  await hangUp(page);
  expect(callee.events.filter(({ type }) => type === "CALL_ESTABLISHED")).toHaveLength(2);
});

/** The page asks for it by itself, too, but seldom. */
async function untilShown(words: string): Promise<void> {
  const shown = async () => {
    await page.reload();
    const rows = page.getByRole("row");
    await rows.nth(1).waitFor();
    return (await rows.allTextContents()).join();
  };
  await expect.poll(shown).toContain(words);
}
