import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, untilAnswered } from "./support/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "./support/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("on other pages the call lives in a bar: its sound goes on, and it is muted, opened and hung up there, or by switching organisation", async () => {
  const person = await newPerson();
  const harbour = (await ask("/v1/organisations", { token: person.token }))[0].id;
  await ask("/v1/organisations", { token: person.token, body: { name: "Shipyard" } });
  await ask(`/v1/users/set-organisation/${harbour}`, { method: "PUT", token: person.token });
  const context = await openProfile(browser);
  const page = await openAs(context, person);
  const bar = page.getByRole("region", { name: "Current call" });
  await dial(page, "+12025550100");
  await untilAnswered(page);
  expect(await bar.count()).toBe(0);

  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await bar.getByRole("link", { name: "+1 202 555 0100" }).waitFor();
  await bar.getByText("In call").waitFor();
  const timer = bar.getByRole("timer", { name: "Call duration" });
  const seconds = async () => Number((await timer.textContent())?.split(":")[1]);
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);
  expect(loudness(await record(page, 1_000))).toBeGreaterThan(0.01);

  const mute = bar.getByRole("button", { name: "Mute" });
  await mute.click();
  await expect.poll(() => mute.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(async () => (await ask("/v1/calls", { token: person.token }))[0].muted).toBe(true);
  await mute.click();
  await expect.poll(() => mute.getAttribute("aria-pressed")).toBe("false");

  await bar.getByRole("button", { name: "Keypad" }).click();
  await page.waitForURL("**/calls");
  await page.getByRole("group", { name: "Keypad" }).waitFor();
  expect(await bar.count()).toBe(0);

  await page.getByRole("button", { name: "Organisation: " }).click();
  await page.getByRole("menuitemradio", { name: "Shipyard" }).click();
  const refused = page.getByRole("dialog", { name: "You are not in Shipyard yet" });
  await refused.getByRole("button", { name: "Hang up and switch" }).click();
  await page.getByText("You now act inside Shipyard.").waitFor();
  await bar.waitFor({ state: "detached" });
  await ask(`/v1/users/set-organisation/${harbour}`, { method: "PUT", token: person.token });
  const [call] = await ask("/v1/calls", { token: person.token });
  expect(call).toMatchObject({ status: "completed", cause: { reason: "hung-up-here" } });
  await context.close();
});

test("leaving the page in a call is asked about, and staying keeps the call; without a call nobody asks", async () => {
  const context = await openProfile(browser);
  const page = await openAs(context, await newPerson());
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await page.getByRole("timer", { name: "Call duration" }).waitFor();
  expect(await page.title()).toContain("In call");

  await page.getByRole("button", { name: "Hang up" }).click();
  await page.getByRole("region", { name: "Call ended" }).waitFor();
  await page.reload();
  await page.getByLabel("Phone number").waitFor();
  expect(asked).toHaveLength(1);
  await context.close();
});
