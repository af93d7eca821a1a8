import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openSharedProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { callerHz } from "./support/trunk-call.ts";
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

trunkJourneys(() => ({ ...trunk, stage, page, changeTrunk }));
