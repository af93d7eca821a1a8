import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { dial, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("on other pages a call bar keeps the audio, mutes, opens and hangs up the call, also when switching organisation", async () => {
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

  await bar.getByRole("button", { name: "Mute", exact: true }).click();
  await bar.getByText("Muted", { exact: true }).waitFor();
  await expect.poll(async () => (await ask("/v1/calls", { token: person.token }))[0].muted).toBe(true);
  await bar.getByRole("button", { name: "Unmute" }).click();
  await bar.getByText("Muted", { exact: true }).waitFor({ state: "detached" });
  await bar.getByRole("button", { name: "Hold" }).click();
  await bar.getByText("On hold").waitFor();
  await bar.getByRole("button", { name: "Resume" }).click();

  await bar.getByRole("button", { name: "Keypad" }).click();
  await page.getByLabel("Keys sent").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("4");
  await page.getByRole("group", { name: "Keypad" }).getByRole("button", { name: "Hash" }).click();
  await expect.poll(() => page.getByLabel("Keys sent").inputValue()).toBe("4#");
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Organisation: " }).click();
  await page.getByRole("menuitemradio", { name: "Shipyard" }).click();
  const refused = page.getByRole("dialog", { name: "You haven’t switched to Shipyard" });
  await refused.getByRole("button", { name: "Hang up and switch" }).click();
  await page.getByText("Switched to Shipyard.").waitFor();
  const ended = page.getByRole("region", { name: "Call ended" });
  await ended.getByText("You hung up.").waitFor();
  expect(await bar.count()).toBe(0);
  await ask(`/v1/users/set-organisation/${harbour}`, { method: "PUT", token: person.token });
  const [call] = await ask("/v1/calls", { token: person.token });
  expect(call).toMatchObject({ status: "completed", cause: { reason: "hung-up-here" } });
  await ended.getByRole("button", { name: "Dismiss" }).click();
  await ended.waitFor({ state: "detached" });
});

test("leaving the page during a call asks first, and staying keeps the call; without a call it doesn't ask", async () => {
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
});

test("a call from a lead's page shows there why it ended, keeps toasts off its controls, and causes no failed request", async () => {
  const person = await newPerson();
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@example.com", phone: "+12025550103" };
  const { id } = await ask("/v1/leads", { body: lead, token: person.token });
  const context = await openProfile(browser);
  const alarms: string[] = [];
  await context.exposeFunction("alarm", (words: string) => void alarms.push(words));
  await context.addInitScript(() => {
    new MutationObserver(() => {
      const words = /Rejoin|Take the audio here/.exec(document.body?.innerText ?? "")?.[0];
      if (words) Reflect.get(window, "alarm")(words);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  const page = await openAs(context, person, `/leads/${id}`);
  const refused: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`);
  });
  await page.getByRole("button", { name: /^Call/ }).first().click();
  const ended = page.getByRole("region", { name: "Call ended" });
  await ended.getByText("The line is busy.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/leads/${id}`);

  await ask(`/v1/leads/${id}`, { method: "PUT", body: { phone: "+12025550100" }, token: person.token });
  await page.reload();
  await page.getByRole("button", { name: /^Call/ }).first().click();
  const bar = page.getByRole("region", { name: "Current call" });
  await bar.getByRole("timer").waitFor();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("dialog").getByLabel("First name").fill("Rob");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const toast = page.locator("[data-sonner-toast]");
  await toast.waitFor();
  const isCovered = async () => {
    const [a, b] = await Promise.all([toast.boundingBox(), bar.boundingBox()]);
    if (!a || !b) throw new Error("toast or bar is gone");
    return a.y < b.y + b.height && b.y < a.y + a.height;
  };
  await toast.hover();
  expect(await isCovered()).toBe(false);
  await page.setViewportSize({ width: 375, height: 720 });
  await expect.poll(isCovered).toBe(false);
  const name = bar.getByRole("link", { name: "Bob Stone" });
  expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);

  await bar.getByRole("button", { name: "Keypad" }).click();
  const keys = await page.getByRole("dialog", { name: "Keypad of the call" }).boundingBox();
  expect((keys?.y ?? 999) + (keys?.height ?? 999)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Hang up" }).click();
  await ended.getByRole("link", { name: /Note/ }).click();
  await page.getByRole("button", { name: "Note and outcome" }).click();
  await page.getByRole("textbox", { name: "Note" }).waitFor();
  expect([refused, alarms]).toEqual([[], []]);
});

test("without a network the page stays, says so, opens the chosen page once it is back, and hangs up the call", async () => {
  const person = await newPerson();
  const context = await openProfile(browser);
  // With Save-Data no screen's code is prefetched.
  await context.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const page = await openAs(context, person);
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await page.getByText("In call", { exact: true }).first().waitFor();

  await context.setOffline(true);
  await page.getByTestId("phone-status").getByText("Offline").waitFor();
  await page.getByRole("link", { name: "Phone numbers" }).click();
  await page.getByText("You’re offline. The page will open when you’re back online.").waitFor();
  await page.getByRole("button", { name: "Hang up" }).click();
  await page.getByTestId("call-stage").getByText("Hanging up when you’re back online…").waitFor();
  expect(new URL(page.url()).origin).toBe(inject("appAddress"));

  await context.setOffline(false);
  await page.getByRole("region", { name: "Call ended" }).waitFor();
  await page.getByRole("heading", { name: "Phone numbers" }).waitFor();
  const [call] = await ask("/v1/calls", { token: person.token });
  expect(call).toMatchObject({ status: "completed", cause: { reason: "hung-up-here" } });
});
