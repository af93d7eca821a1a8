import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openBrowser } from "../../testing/open-browser.ts";
import { openAs, type Person } from "../../testing/sign-up.ts";
import { median, percentile, writeResults } from "../write-results.ts";

const scrolledSeconds = 10;
const searches = ["smith", "stone4242", "quagga", "smith bob"];

declare global {
  interface Window {
    frameMs: number[];
  }
}

/** Scrolls and searches a large list in a real browser; frames are measured with requestAnimationFrame. */
export async function browseLeads(address: string, person: Person): Promise<void> {
  const browser = await openBrowser();
  try {
    const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 800 } });
    const page = await openAs(context, person, "/leads");
    const table = page.getByRole("region", { name: "Leads" });
    await table.getByRole("row").nth(5).waitFor();
    const still = await watchFrames(page, () => sleep(2_000));
    await table.hover();
    const scrolled = await watchFrames(page, async () => {
      for (const startedAt = performance.now(); performance.now() - startedAt < scrolledSeconds * 1000;) {
        await page.mouse.wheel(0, 600);
        await sleep(50);
      }
    });
    const passed = await table.evaluate((element) => Math.round(element.scrollTop / 40));
    const shownMs: number[] = [];
    for (const text of searches) shownMs.push(await search(page, text));
    const frames = (name: string, ms: number[]) => [
      name,
      ...[median(ms), percentile(ms, 0.95), Math.max(...ms)].map((value) => value.toFixed(1)),
    ];
    writeResults("leads-browser", {
      what:
        `Chromium ${browser.version()} on the list of leads: time between frames while nothing moves and while the wheel turns for ` +
        `${scrolledSeconds} s (${passed.toLocaleString("en")} rows), and from the last key of a search to its rows, over ${searches.length} searches.`,
      rows: [
        ["ms", "median", "p95", "most"],
        frames("frame, still", still),
        frames("frame, scrolling", scrolled),
        frames("search to rows", shownMs),
      ],
    });
  } finally {
    await browser.close();
  }
}

async function watchFrames(page: Page, meanwhile: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    window.frameMs = [];
    let last = performance.now();
    const note = (now: number) => {
      window.frameMs.push(now - last);
      last = now;
      if (window.frameMs.length < 100_000) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await meanwhile();
  return page.evaluate(() => {
    const seen = window.frameMs.slice(1);
    // Stops measuring: the next frame finds the list full.
    window.frameMs.length = 100_000;
    return seen;
  });
}

async function search(page: Page, text: string): Promise<number> {
  const field = page.getByLabel("Search leads");
  await field.fill("");
  await sleep(1_000);
  const answered = page.waitForResponse((response) => response.url().includes(`search=${text.split(" ")[0]}`));
  const startedAt = performance.now();
  await field.fill(text);
  await answered;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  return performance.now() - startedAt;
}
