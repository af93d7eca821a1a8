import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openSharedProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";
import { callerHz, startOver } from "./support/trunk-call.ts";
import { connectTrunk, startTrunk, type StartedTrunk, trunkJourneys } from "./support/trunk-journeys.ts";

let browser: Browser;
let stage: Stage;
let trunk: StartedTrunk;
let person: Person;
let page: Page;
let changeTrunk: (settings: object) => Promise<void>;

beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: callerHz }) } });
  stage = await openStage();
  trunk = await startTrunk(stage);
  person = await newPerson();
  changeTrunk = await connectTrunk(trunk, { address: inject("appAddress"), person });
  page = await openAs(await openSharedProfile(browser), person);
});
afterEach(({ task }) =>
  task.result?.state === "fail" ? startOver(page, { address: inject("appAddress"), person }) : undefined,
);
afterAll(async () => {
  await browser.close();
  await stage.close();
});

trunkJourneys(() => ({ ...trunk, stage, page, changeTrunk }));
