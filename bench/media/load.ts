/** The browsers of bench/media, in a process of their own: werift peer connections that send silence and judge what arrives. */
import { openTestBrowser, type TestBrowser } from "../../apps/server/src/media-plane/test-browser.ts";
import type { FromLoad, ToLoad } from "./messages.ts";

const browsers = new Map<number, TestBrowser>();
/** Where in each browser's packets the measured time begins. */
const startedAt = new Map<number, number>();

function tell(message: FromLoad): void {
  process.send?.(message);
}

/** RFC 3550's lost packets, and how far each packet's distance from the one before it is from 20 ms. */
function judge(browser: TestBrowser, from: number) {
  const heard = browser.packets.slice(from);
  const deviationsMs: number[] = [];
  let lost = 0;
  heard.forEach((packet, i) => {
    const before = heard[i - 1];
    if (!before) return;
    deviationsMs.push(Math.abs(packet.atMs - before.atMs - 20));
    lost += Math.max(0, (((packet.sequenceNumber - before.sequenceNumber) << 16) >> 16) - 1);
  });
  return { received: heard.length, lost, deviationsMs };
}

process.on("message", async (message: ToLoad) => {
  if (message.type === "open") {
    const browser = await openTestBrowser();
    browsers.set(message.index, browser);
    tell({ type: "offer", index: message.index, offer: browser.offer });
  } else if (message.type === "answer") {
    await browsers.get(message.index)?.acceptAnswer(message.answer);
  } else if (message.type === "start") {
    for (const [index, browser] of browsers) startedAt.set(index, browser.packets.length);
  } else {
    const results = [...browsers].map(([index, browser]) => judge(browser, startedAt.get(index) ?? 0));
    const deviationsMs = results.flatMap((each) => each.deviationsMs).toSorted((a, b) => a - b);
    tell({
      type: "result",
      received: results.reduce((sum, each) => sum + each.received, 0),
      lost: results.reduce((sum, each) => sum + each.lost, 0),
      jitterP99Ms: deviationsMs[Math.floor(deviationsMs.length * 0.99)] ?? 0,
      silentCalls: results.filter((each) => each.received === 0).length,
    });
  }
});
