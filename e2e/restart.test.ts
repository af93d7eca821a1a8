import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openSharedProfile } from "./support/people.ts";
import { openAs, signUp } from "../testing/sign-up.ts";
import { type RunningApp, startApp } from "../testing/start-app.ts";

let browser: Browser;
let app: RunningApp;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startApp()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

test("a server killed during a call is reported as missing, and once it is back the call has ended and the phone is ready", async () => {
  const context = await openSharedProfile(browser, { baseURL: app.address });
  let cut = true;
  await context.route("**/api/v1/call-outcomes*", (route) => (cut ? route.abort() : route.fallback()));
  const page = await openAs(context, await signUp(app.address, { organisation: "Harbour" }));
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Hold", exact: true }).click();
  await page.getByTestId("phone-status").getByText("On hold").waitFor();
  await page.getByText("Outcomes couldn’t be loaded").waitFor();

  const missed = page.getByText("Leadline isn’t responding. Reconnecting…");
  // Long enough that the browser, too, has given up its connection.
  await app.restart("SIGKILL", async () => {
    cut = false;
    await missed.waitFor();
    await page.getByTestId("call-stage").getByText("Reconnecting…").waitFor();
  });
  expect(await endedSentence(page)).toBe("Leadline restarted, which ended the call. Call again.");
  await missed.waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Outcome" }).getByText("Choose an outcome").waitFor();
  await page.getByTestId("phone-status").getByText("Ready").waitFor();
});

const lostWords = "Connection lost. Reconnecting…";

/** Resolves to the ICE state at the moment the page reports the connection as lost. */
const iceStateWhenLost = (page: Page): Promise<string | undefined> =>
  page.evaluate(async (words) => {
    const stage = (): string => document.querySelector('[data-testid="call-stage"]')?.textContent ?? "";
    while (!stage().includes(words)) await new Promise((resolve) => setTimeout(resolve, 50));
    return window.peers.findLast((peer) => peer.iceConnectionState !== "closed")?.iceConnectionState;
  }, lostWords);

async function inCall(): Promise<Page> {
  const context = await openSharedProfile(browser, { baseURL: app.address });
  const page = await openAs(context, await signUp(app.address, { organisation: "Harbour" }));
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.getByTestId("call-stage").getByText("In call", { exact: true }).waitFor();
  expect(loudness(await record(page, 1_000))).toBeGreaterThan(0.01);
  return page;
}

test("a server killed during a call is noticed before ICE does, and the call ends with the reason once it is back", async () => {
  const page = await inCall();
  const lost = iceStateWhenLost(page);
  await app.restart("SIGKILL", () => lost);
  // ICE takes at least 5 s to notice, so the report is due to the audio and the event stream.
  expect(await lost).toMatch(/^(connected|completed)$/);
  expect(await endedSentence(page)).toBe("Leadline restarted, which ended the call. Call again.");
});

test("a server that hangs with its event stream open is noticed too, and the call continues once it responds", async () => {
  const page = await inCall();
  const lost = iceStateWhenLost(page);
  process.kill(app.pid, "SIGSTOP");
  try {
    expect(await lost).toMatch(/^(connected|completed)$/);
  } finally {
    process.kill(app.pid, "SIGCONT");
  }
  await page.getByTestId("call-stage").getByText("In call", { exact: true }).waitFor();
  await expect
    .poll(async () => loudness(await record(page, 500).catch(() => new Float32Array(1))))
    .toBeGreaterThan(0.01);
  await hangUp(page);
});
