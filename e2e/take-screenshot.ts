/** Draws docs/screenshot.png: `npm run screenshot`. The real app, in a real call, as a person sees it. */
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, hangUp, untilAnswered } from "./support/dial.ts";
import { openBrowser } from "./support/open-browser.ts";
import { openAs, signUp } from "./support/sign-up.ts";
import { startApp } from "./support/start-app.ts";

const app = await startApp();
const browser = await openBrowser();
try {
  const person = await signUp(app.address, { organisation: "Harbour Tools" });
  const context = await browser.newContext({ baseURL: app.address, viewport: { width: 1280, height: 800 } });
  const page = await openAs(context, person);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await sleep(3_000);
  await hangUp(page);
  await dial(page, "+12025550108");
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hide" }).click();
  await sleep(7_000);
  await page.screenshot({ path: fileURLToPath(new URL("../docs/screenshot.png", import.meta.url)) });
} finally {
  await browser.close();
  await app.stop();
}
