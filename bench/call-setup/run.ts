/**
 * From the press of Call to the first frame of remote RTP in the page, in a real browser against the real app.
 * cold: the first call of a fresh page, nothing negotiated. warm: a later call of the page, its offer in the request.
 * held: a later call on the connection that the open pad holds. `node bench/call-setup/run.ts [rounds]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { openAs, type Person, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { stampFirstPacket } from "../stamp-first-packet.ts";
import { median, percentile, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 20);
const speaker = "+12025550100";

const app = await startApp();
const browser = await openBrowser();
try {
  await measure();
} finally {
  await browser.close();
  await app.stop();
}

async function measure(): Promise<void> {
  const withoutHeld = await openContext({ holds: false });
  const withHeld = await openContext({ holds: true });
  const warmPage = await openAs(withoutHeld, await newPerson());
  const heldPage = await openAs(withHeld, await newPerson());
  for (const page of [warmPage, heldPage]) await callOnce(page);

  const ms: Record<"cold" | "warm" | "held", number[]> = { cold: [], warm: [], held: [] };
  for (let round = 0; round < rounds; round += 1) {
    const fresh = await openContext({ holds: false });
    ms.cold.push(await callOnce(await openAs(fresh, await newPerson())));
    await fresh.close();
    await leaveAndReturn(warmPage);
    ms.warm.push(await callOnce(warmPage));
    ms.held.push(await callOnce(heldPage));
  }
  const row = (name: string, values: number[]) =>
    [name, median(values), percentile(values, 0.95), Math.min(...values)].map((cell) =>
      typeof cell === "number" ? String(Math.round(cell)) : cell,
    );
  writeResults("call-setup", {
    what: `Press of Call to the arrival of the first frame of remote RTP, stamped off the page's main thread, ms, ${rounds} calls each, interleaved, Chromium ${browser.version()}.`,
    rows: [
      ["", "median", "p95", "least"],
      row("cold: first call of a fresh page", ms.cold),
      row("warm: offer in the call's request", ms.warm),
      row("warm: on the held connection", ms.held),
    ],
  });
}

function newPerson(): Promise<Person> {
  return signUp(app.address, { organisation: "Bench" });
}

async function openContext(options: { holds: boolean }): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: app.address, permissions: ["microphone"], bypassCSP: true });
  await stampFirstPacket(context);
  if (!options.holds) {
    // The pad cannot negotiate ahead: every call brings its own offer.
    await context.route("**/api/v1/media-connections", (route) => route.abort());
  }
  return context;
}

/** The pad closes the last call's connection when it is left. */
async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("link", { name: "Calls", exact: true }).first().click();
  await page.getByLabel("Phone number").waitFor();
}

async function callOnce(page: Page): Promise<number> {
  await page.getByLabel("Phone number").waitFor();
  // Whatever the page still does by itself is over, and a held connection is ready.
  await sleep(1_500);
  await dial(page, speaker);
  await untilAnswered(page);
  await page.waitForFunction(() => window.framesAt.some((at) => at > (window.pressedAt.at(-1) ?? Infinity)));
  const took = await page.evaluate(() => {
    const pressed = window.pressedAt.at(-1) ?? Number.NaN;
    if (window.framesAt.some((at) => at < pressed && at > pressed - 500)) throw new Error("sound before the call");
    return Math.min(...window.framesAt.filter((at) => at > pressed)) - pressed;
  });
  await hangUp(page);
  return took;
}
