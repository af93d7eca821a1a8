import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hangUp, untilAnswered } from "../testing/dial.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to a screen, find a lead or call a number" }).waitFor();
};

/** Enter runs the marked option, which a new option is only once it is rendered. */
const choose = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("option", { name, selected: true }).waitFor();
  await page.keyboard.press("Enter");
};

inBothLooks((look) => {
  test("the command palette opens a screen, calls a number and finds a lead by keyboard alone", async () => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser, look), person, "/dashboard");
    await page.getByRole("heading").first().waitFor();
    await openPalette(page);
    await page.keyboard.type("phone num");
    await choose(page, "Phone numbers");
    await page.getByRole("heading", { name: "Phone numbers", exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await openPalette(page);
    await page.keyboard.type("202 555 0108");
    await choose(page, "Call +1 202 555 0108");
    await untilAnswered(page);
    expect(new URL(page.url()).pathname).toBe("/calls");
    await openPalette(page);
    expect(await page.getByRole("option", { name: /^Call \+/ }).count()).toBe(0);
    await page.keyboard.press("Control+k");
    await hangUp(page);

    await page.goto("/settings/organisations");
    await page.getByRole("heading", { name: "Organisations" }).waitFor();
    await openPalette(page);
    await page.getByRole("option", { name: "Call +1 202 555 0108" }).waitFor();
    const { id } = await ask("/v1/leads", {
      token: person.token,
      body: { firstName: "Zoë", lastName: "Müller", email: "zoe@x.example", phone: "+12025550177" },
    });
    await page.keyboard.type("muller");
    await choose(page, "Zoë Müller");
    await page.waitForURL(`**/leads/${id}`);
    await openPalette(page);
    await page.keyboard.type("qqqq");
    await page.getByText("No results.").waitFor();
  });
});

test("a call from a half-filled form is placed once, immediately, whether the person stays or leaves", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser), person, "/leads/new");
  await page.getByLabel("First name").fill("Bob");
  await openPalette(page);
  await page.keyboard.type("202 555 0108");
  await choose(page, "Call +1 202 555 0108");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  const callCount = async (): Promise<number> => (await ask("/v1/calls", { token: person.token })).length;
  await expect.poll(callCount).toBe(1);
  expect(await page.getByLabel("First name").inputValue()).toBe("Bob");
  await page.getByRole("button", { name: "Hang up" }).click();
  await page.getByRole("button", { name: "Hang up" }).waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Dashboard" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/dashboard");
  // The old shortcut would have navigated by now, and started a call.
  await page.waitForTimeout(300);
  expect(await callCount()).toBe(1);
});

test("? lists the shortcuts, except in text fields", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/settings/organisations/new");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.getByLabel("Name").fill("Why");
  await page.keyboard.type("?");
  expect(await page.getByLabel("Name").inputValue()).toBe("Why?");
  expect(await list.count()).toBe(0);
  await page.getByRole("button", { name: "Create organisation" }).focus();
  await page.keyboard.press("?");
  await list.waitFor();
  expect(await list.textContent()).toContain("Show or hide the sidebar");
  await page.keyboard.press("Escape");
  await expect.poll(() => list.count()).toBe(0);
});
