import { expect, onTestFinished, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { installEars, loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openDemoPhone, startDevInCopy } from "../testing/start-dev-in-copy.ts";

test("npm run dev applies a page edit during a call, and a server edit after a restart", async () => {
  const dev = await startDevInCopy();
  onTestFinished(() => dev.stop());
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ baseURL: dev.address, permissions: ["microphone"] });
  context.setDefaultTimeout(60_000);
  await installEars(context);
  const page = await openDemoPhone(context);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  const sound = async () => loudness(await record(page, 500));
  await expect.poll(sound).toBeGreaterThan(0.01);
  // A reload would empty the list of connections. A slow page may have opened two before the edit.
  const opened = () => page.evaluate(() => ({ atMs: performance.timeOrigin, connections: window.peers.length }));
  const before = await opened();

  dev.edit({ file: "apps/web/src/phone/pad/pad-row.tsx", from: `label="Hide"`, to: `label="Put away"` });
  await page.getByRole("button", { name: "Put away" }).waitFor();
  expect(await sound()).toBeGreaterThan(0.01);
  expect(await opened()).toEqual(before);
  await hangUp(page);

  const there = async () => (await fetch(`${dev.address}/api/nowhere`)).text();
  dev.edit({ file: "apps/server/src/http/serve-web-app.ts", from: "nothing at this address", to: "nobody here" });
  await expect.poll(there).toContain("There is nobody here.");
  expect(dev.starts()).toBe(2);
});
