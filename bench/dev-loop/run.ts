/**
 * From saving a file to seeing the edit, under `npm run dev`. page: in a browser that is in a call, without a reload.
 * server: in a response of the restarted server. `node bench/dev-loop/run.ts [rounds]`
 */
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, untilAnswered } from "../../testing/dial.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { type DevInCopy, openDemoPhone, startDevInCopy } from "../../testing/start-dev-in-copy.ts";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 9);
const label = (round: number) => (round === 0 ? "Hide" : `Hide ${round}`);
const answer = (round: number) => (round === 0 ? "nothing at this address" : `nothing here ${round}`);

const dev = await startDevInCopy();
const loadBefore = loadavg()[0] ?? 0;
const pageMs = await editPage(dev);
const serverMs = await editServer(dev);
await dev.stop();
const row = (name: string, values: number[]) => [
  name,
  ...[median(values), Math.min(...values), Math.max(...values)].map((ms) => String(Math.round(ms))),
];
writeResults("dev-loop", {
  what: `From saving a file to seeing the edit under npm run dev, ms; ${rounds} edits each; load average before ${loadBefore.toFixed(1)}.`,
  rows: [["", "median", "least", "most"], row("page, in a call", pageMs), row("server", serverMs)],
});

async function editPage({ address, edit }: DevInCopy): Promise<number[]> {
  const browser = await openBrowser();
  const page = await openDemoPhone(await browser.newContext({ baseURL: address, permissions: ["microphone"] }));
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.getByRole("button", { name: label(0), exact: true }).waitFor();
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const savedMs = performance.now();
    edit({
      file: "apps/web/src/phone/pad/pad-row.tsx",
      from: `label="${label(round - 1)}"`,
      to: `label="${label(round)}"`,
    });
    await page.getByRole("button", { name: label(round), exact: true }).waitFor();
    times.push(performance.now() - savedMs);
  }
  await browser.close();
  return times;
}

async function editServer({ address, edit }: DevInCopy): Promise<number[]> {
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const savedMs = performance.now();
    edit({ file: "apps/server/src/http/serve-web-app.ts", from: answer(round - 1), to: answer(round) });
    while (!(await (await fetch(`${address}/api/nowhere`)).text()).includes(answer(round))) await sleep(10);
    times.push(performance.now() - savedMs);
    // Let the watcher and the restarted server settle, as between two edits.
    await sleep(1_000);
  }
  return times;
}
