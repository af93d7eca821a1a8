import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { breakableNetwork } from "./support/breakable-network.ts";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test.concurrent.for([12, 25])(
  "recovers from a network cut of %i s, and the call continues",
  async (seconds, { expect, onTestFinished }) => {
    const person = await newPerson();
    const context = await openProfile(browser, {}, onTestFinished);
    const network = await breakableNetwork(context);
    const page = await openAs(context, person);
    await dial(page, "+12025550100");
    await untilAnswered(page);
    expect(loudness(await record(page, 1_000))).toBeGreaterThan(0.01);
    expect(network.packetsPassed()).toBeGreaterThan(50);

    network.cut();
    await expect.poll(() => page.getByTestId("call-stage").textContent()).toBe("Connection lost. Reconnecting…");
    await sleep((seconds - 7) * 1_000);
    network.mend();
    await expect.poll(() => page.getByTestId("call-stage").textContent()).toBe("In call");
    await expect
      .poll(async () => loudness(await record(page, 500).catch(() => new Float32Array(1))))
      .toBeGreaterThan(0.01);

    const calls = await ask("/v1/calls", { token: person.token });
    expect(calls.map((call: { status: string }) => call.status)).toEqual(["in-progress"]);
    await hangUp(page);
    await network.close();
  },
);
