import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, endedSentence, untilAnswered } from "./support/dial.ts";
import { openBrowser } from "./support/open-browser.ts";
import { openSharedProfile } from "./support/people.ts";
import { openAs, signUp } from "./support/sign-up.ts";
import { type RunningApp, startApp } from "./support/start-app.ts";

let browser: Browser;
let app: RunningApp;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startApp()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

test("a server that is killed in a call is missed in words, and once it is back the call has ended, what failed is there and the phone is ready", async () => {
  const context = await openSharedProfile(browser, { baseURL: app.address });
  let cut = true;
  await context.route("**/api/v1/call-outcomes*", (route) => (cut ? route.abort() : route.fallback()));
  const page = await openAs(context, await signUp(app.address, { organisation: "Harbour" }));
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Hold", exact: true }).click();
  await page.getByTestId("phone-status").getByText("On hold").waitFor();
  await page.getByText("The outcomes could not be loaded").waitFor();

  const missed = page.getByText("Leadline does not answer. Reconnecting…");
  // Long enough that the browser has given up its connection, too.
  await app.restart("SIGKILL", async () => {
    cut = false;
    await missed.waitFor();
    await page.getByTestId("call-stage").getByText("Reconnecting…").waitFor();
  });
  expect(await endedSentence(page)).toBe("Leadline restarted and the call was cut off. Call again.");
  await missed.waitFor({ state: "detached" });
  await page.getByRole("combobox", { name: "Outcome" }).getByText("Choose an outcome").waitFor();
  await page.getByTestId("phone-status").getByText("Ready").waitFor();
});
