import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, endedSentence, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { chooseScreen, inBothLooks, isNarrow, openCallLists } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const speaking = "+1 202 555 0100";
const stage = (page: Page, words: string) => page.getByTestId("call-stage").getByText(words);
const otherLine = (page: Page) => page.getByRole("region", { name: "Other line" });
const conference = (page: Page) => page.getByRole("region", { name: "Conference" });

/** The focused element, by its label or text. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? null,
  );

async function expectInView(page: Page, button: string): Promise<void> {
  const box = await page.getByRole("button", { name: button, exact: true }).boundingBox();
  expect((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
}

/** By keyboard alone. */
async function pressWithKeys(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).focus();
  await page.keyboard.press("Enter");
}

/** Opens the dialog by T, finds the lead by name, and moves to the button that talks with her first. */
async function talkFirst(page: Page): Promise<void> {
  await page.keyboard.press("t");
  const asking = page.getByRole("dialog", { name: "Transfer call" });
  const field = asking.getByRole("combobox", { name: "Phone number" });
  await field.pressSequentially("Ada");
  await asking.getByRole("option", { name: "Ada Byron" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("+1 202 555 0101");
  expect(await findings(page)).toEqual([]);
  await pressWithKeys(page, "Talk first");
  await asking.waitFor({ state: "detached" });
}

inBothLooks((look) => {
  test("a rep consults first, continues after a reload, merges the calls and leaves them to each other", async () => {
    const person = await newPerson();
    const lead = { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+12025550101" };
    await ask("/v1/leads", { body: lead, token: person.token });
    const context = await openProfile(browser, { ...look, bypassCSP: true });
    const page = await openAs(context, person);
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await talkFirst(page);
    await stage(page, "In call").waitFor();
    await otherLine(page).getByText(speaking, { exact: true }).waitFor();
    await otherLine(page).getByText("On hold", { exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches("body, #content"))).toBe(false);
    expect(await findings(page)).toEqual([]);
    // Nothing is out of reach next to the keypad.
    await expectInView(page, "Hang up");

    await page.reload();
    await page.getByRole("button", { name: "Rejoin" }).click();
    await otherLine(page).getByText("On hold", { exact: true }).waitFor();
    await page.getByText("Ada Byron").first().waitFor();
    await pressWithKeys(page, "Swap");
    await otherLine(page).getByText("Ada Byron", { exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe("Swap");
    await expect.poll(async () => loudness(await record(page, 300))).toBeGreaterThan(0.01);

    await pressWithKeys(page, "Merge calls");
    await stage(page, "In conference").waitFor();
    const participants = conference(page).getByRole("listitem");
    await expect.poll(() => participants.allTextContents()).toEqual([speaking, "Ada Byron"]);
    await pressWithKeys(page, "Mute Ada Byron");
    await pressWithKeys(page, `Hold ${speaking}`);
    await expect.poll(() => participants.allTextContents()).toEqual([`${speaking}On hold`, "Ada ByronMuted"]);
    expect(await findings(page)).toEqual([]);
    await pressWithKeys(page, `Resume ${speaking}`);

    if (isNarrow(page)) await page.getByRole("button", { name: "Note and outcome" }).click();
    await page.getByRole("tab", { name: "Ada Byron" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("Knows the offer.");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    if (isNarrow(page)) await page.keyboard.press("Escape");
    const calls = await ask("/v1/calls", { token: person.token });
    expect(calls.map(({ note }: { note: string }) => note).toSorted()).toEqual(["", "Knows the offer."]);
    expect(calls.find(({ note }: { note: string }) => note !== "")).toMatchObject({ phoneNumber: "+12025550101" });

    await pressWithKeys(page, "Leave the conference");
    expect(await endedSentence(page)).toBe(`You left. ${speaking} and Ada Byron (+1 202 555 0101) are still talking.`);
    await openCallLists(page);
    const rows = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
    await rows.filter({ hasText: "transferred to Ada Byron" }).waitFor();
    await expect.poll(() => rows.getByText("Transferred", { exact: true }).count()).toBe(2);
    await context.close();
  });

  test("a conference continues with whoever stays, and an unanswered call leaves the first one as it was", async () => {
    const context = await openProfile(browser, { ...look, bypassCSP: true });
    const page = await openAs(context, await newPerson());
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Hide" }).click();
    const call = async (number: string): Promise<void> => {
      await page.getByRole("button", { name: "Add", exact: true }).click();
      const adding = page.getByRole("dialog", { name: "Add someone to the call" });
      await adding.getByRole("combobox").pressSequentially(number);
      await page.keyboard.press("Enter");
      await adding.waitFor({ state: "detached" });
    };
    await call("+12025550103");
    const busy = `+1 202 555 0103: The line is busy. You’re talking to ${speaking}.`;
    await page.getByText(busy).waitFor();
    await stage(page, "In call").waitFor();
    await call("+12025550101");
    await otherLine(page).getByText("On hold", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Merge calls" }).click();
    await conference(page).waitFor();
    // On another page as well.
    await chooseScreen(page, "Leads");
    const bar = page.getByRole("region", { name: "Current call" });
    await bar.getByRole("region", { name: "Conference" }).waitFor();
    expect(await findings(page)).toEqual([]);
    // The bar leaves most of a phone's screen to the page.
    expect((await bar.boundingBox())?.height).toBeLessThan(250);
    if (isNarrow(page)) await bar.getByTitle("Show participants").click();
    await pressWithKeys(page, `Hang up on ${speaking}`);
    await conference(page).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches("body, #content"))).toBe(false);
    await page.getByRole("link", { name: "+1 202 555 0101", exact: true }).waitFor();
    await page.getByRole("button", { name: "Hang up", exact: true }).click();
    await page.getByRole("region", { name: "Call ended" }).waitFor();
    await context.close();
  });
});
