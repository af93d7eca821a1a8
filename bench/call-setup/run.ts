/**
 * From the click on Call to the first frame of remote RTP in the page, in a real browser against the real app. cold:
 * the first call of a new page, nothing negotiated. warm: a later call of the page, with its offer in the request.
 * held: a later call on the connection that the open pad holds. Alternates with another checkout, such as the previous
 * commit's. Each Chromium has a result of its own (CHROMIUM_PATH). `node bench/call-setup/run.ts [rounds] [other checkout]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { openAs, signUp } from "../../testing/sign-up.ts";
import { type RunningApp, startApp } from "../../testing/start-app.ts";
import { stampFirstPacket } from "../stamp-first-packet.ts";
import { median, percentile, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 20);
const otherCheckout = process.argv[3];
const speaker = "+12025550100";
const ways = {
  cold: "cold: first call of a fresh page",
  warm: "warm: offer in the call's request",
  held: "warm: on the held connection",
};

interface Side {
  name: string;
  app: RunningApp;
  ms: Record<keyof typeof ways, number[]>;
}

const sides: Side[] = [];
const browser = await openBrowser();
try {
  if (otherCheckout !== undefined) await open("other checkout", otherCheckout);
  await open("this one");
  await measure();
} finally {
  await browser.close();
  for (const { app } of sides) await app.stop();
}

async function open(name: string, checkout?: string): Promise<void> {
  const app = await startApp({ ...(checkout !== undefined && { checkout }) });
  sides.push({ name, app, ms: { cold: [], warm: [], held: [] } });
}

async function measure(): Promise<void> {
  const opened = [];
  for (const side of sides) {
    const warmPage = await openPage(side, { holds: false });
    const heldPage = await openPage(side, { holds: true });
    for (const page of [warmPage, heldPage]) await callOnce(page);
    opened.push({ ...side, warmPage, heldPage });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const side of opened) {
      const fresh = await openPage(side, { holds: false });
      side.ms.cold.push(await callOnce(fresh));
      await fresh.context().close();
      await leaveAndReturn(side.warmPage);
      side.ms.warm.push(await callOnce(side.warmPage));
      side.ms.held.push(await callOnce(side.heldPage));
    }
  const rows = (["cold", "warm", "held"] as const).flatMap((way) =>
    sides.map(({ name, ms }) => [
      ways[way],
      name,
      ...[median(ms[way]), percentile(ms[way], 0.95), Math.min(...ms[way])].map((value) => String(Math.round(value))),
    ]),
  );
  writeResults(`call-setup-chromium-${browser.version().split(".")[0]}`, {
    what: `Press of Call to the arrival of the first frame of remote RTP, stamped off the page's main thread, ms, ${rounds} calls each, interleaved, Chromium ${browser.version()}.`,
    rows: [["", "server", "median", "p95", "least"], ...rows],
  });
}

async function openPage({ app }: Side, options: { holds: boolean }): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.address, permissions: ["microphone"], bypassCSP: true });
  await stampFirstPacket(context);
  if (!options.holds) {
    // The pad can't negotiate ahead: every call sends its own offer.
    await context.route("**/api/v1/media-connections", (route) => route.abort());
  }
  return openAs(context, await signUp(app.address, { organisation: "Bench" }));
}

/** The pad closes the last call's connection when the user leaves it. */
async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("link", { name: "Calls", exact: true }).first().click();
  await page.getByLabel("Phone number").waitFor();
}

async function callOnce(page: Page): Promise<number> {
  await page.getByLabel("Phone number").waitFor();
  // The page is idle by then, and a held connection is ready.
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
