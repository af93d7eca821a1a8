import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endedSentence, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const note = (page: Page) => page.getByRole("textbox", { name: "Note" });
const saved = (page: Page) => page.getByText("Saved", { exact: true }).waitFor();
async function choose(page: Page, field: string, option: string): Promise<void> {
  const box = page.getByRole("combobox", { name: field, exact: true });
  await box.click();
  await page.getByRole("option", { name: option, exact: true }).click();
  // Wait until it has the focus back after its list closes. Keys typed before would be lost.
  await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
}

test("a rep finds a lead by name, calls, and records note, outcome and callback without losing anything", async () => {
  const person = await newPerson();
  const lead = { firstName: "Bob", lastName: "Stone", email: "bob@example.com", phone: "(202) 555-0100" };
  await ask("/v1/leads", { body: lead, token: person.token });
  const page = await openAs(await openProfile(browser), person);

  await page.getByLabel("Phone number").pressSequentially("sto");
  const found = page.getByRole("option", { name: /Bob Stone/, selected: true });
  await found.waitFor();
  expect(await found.evaluate((option) => getComputedStyle(option).opacity)).toBe("1");
  await page.keyboard.press("Enter");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+1 202 555 0100");
  await page.keyboard.press("Enter");
  await untilAnswered(page);
  await page.getByRole("region", { name: "This call" }).getByText("Bob Stone").waitFor();
  await page.getByText("The first call with this lead.").waitFor();

  await note(page).fill("Asks for a quote");
  await saved(page);
  const day = page.getByRole("combobox", { name: "Call back on" });
  expect(await day.textContent()).toBe("No day");
  await choose(page, "Outcome", "Call back");
  await expect.poll(() => day.textContent()).not.toBe("No day");
  await page.getByText("It’s on your callback list.").waitFor();
  await choose(page, "Outcome", "Interested");
  await choose(page, "Call back on", "Tomorrow");

  // Reload in the middle of a word, before the pause after which it is saved.
  await note(page).pressSequentially(" on forty crat");
  await page.reload();
  await expect.poll(() => note(page).inputValue()).toBe("Asks for a quote on forty crat");
  await saved(page);

  // The server is unreachable for a while.
  await page.route("**/disposition", (route) => route.abort());
  await note(page).press("Control+End");
  await note(page).pressSequentially("es");
  await page.getByText("Not saved yet, but kept in this tab.").waitFor();
  await page.unroute("**/disposition");
  await page.getByRole("button", { name: "Try again" }).click();
  await saved(page);

  await page.getByRole("button", { name: "Hang up" }).click();
  expect(await endedSentence(page)).toBe("You hung up.");
  expect(await note(page).inputValue()).toBe("Asks for a quote on forty crates");
  await page.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
  await expect.poll(() => row.textContent()).toMatch(/Bob Stone.*Interested/);
  await page.getByRole("button", { name: "Open the call with Bob Stone" }).press("Enter");
  expect(await page.getByRole("dialog").getByRole("textbox", { name: "Note" }).inputValue()).toBe(
    "Asks for a quote on forty crates",
  );
  await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: "Call again Bob Stone" }).count()).toBe(1);
  expect(await ask("/v1/calls", { token: person.token })).toHaveLength(1);

  await page.getByRole("tab", { name: "Call back" }).click();
  const due = page.getByRole("list", { name: "To call back" }).getByRole("listitem");
  await expect.poll(() => due.textContent()).toMatch(/Bob Stone.*Tomorrow.*Interested/);
  await page.getByRole("button", { name: "Mark Bob Stone as done" }).click();
  await page.getByText("No callbacks due").waitFor();

  const [call] = await ask("/v1/calls", { token: person.token });
  expect(call).toMatchObject({
    note: "Asks for a quote on forty crates",
    outcome: { name: "Interested" },
    leads: [{ lastName: "Stone" }],
    followUpOn: null,
  });
});

test("a note that hasn't reached the server is sent before logging out", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser), person);
  const noteNow = async () => (await ask("/v1/calls", { token: person.token }))[0]?.note;
  await page.getByLabel("Phone number").pressSequentially("+12025550100");
  await page.keyboard.press("Enter");
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hang up" }).click();
  await endedSentence(page);
  const typeUnsent = async (text: string) => {
    await page.route("**/disposition", (route) => route.abort());
    await note(page).fill(text);
    await page.getByText("Not saved yet, but kept in this tab.").waitFor();
  };
  const logOut = async () => {
    await page.goto("/logout");
    await page.waitForURL((url) => url.pathname === "/");
  };
  await typeUnsent("Sent at the door");
  await page.goto("/settings/account");
  await page.unroute("**/disposition");
  await logOut();
  const { token } = await ask("/v1/login", { body: { email: person.email, password: person.password } });
  person.token = token;
  expect(await noteNow()).toBe("Sent at the door");
});

test("an owner edits the outcomes, and the calls page offers the new list", async () => {
  const person = await newPerson();
  const page = await openAs(await openProfile(browser), person, "/settings/outcomes");
  const names = () => page.getByRole("list", { name: "Outcomes" }).getByRole("listitem").allTextContents();
  await page.getByLabel("New outcome").fill("interested");
  await page.getByRole("button", { name: "Add" }).click();
  await page.getByText("“interested” is already in the list. Choose another name.").waitFor();
  await page.getByLabel("New outcome").fill("Sent a quote");
  await page.getByRole("button", { name: "Add" }).click();
  await expect.poll(async () => (await names()).at(-1)).toBe("Sent a quote");
  await page.getByRole("button", { name: "Move Sent a quote up" }).click();
  await expect.poll(async () => (await names()).at(-2)).toBe("Sent a quote");
  await page.getByRole("button", { name: "Actions for Wrong number" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect.poll(names).not.toContain("Wrong number");
  await page.getByRole("button", { name: "Actions for Interested", exact: true }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByLabel("New name for “Interested”").fill("Keen");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await names())[0]).toBe("Keen");
  await page.getByRole("button", { name: "Actions for Keen", exact: true }).click();
  await page.getByRole("menuitem", { name: "Set a callback day" }).click();
  await expect.poll(async () => (await names()).filter((name) => name.endsWith("Callback"))).toHaveLength(2);

  await page.goto("/calls");
  await page.getByRole("combobox", { name: "Outcome" }).click();
  await expect
    .poll(() => page.getByRole("option").allTextContents())
    .toEqual([
      "Any outcome",
      "Keen",
      "Call back",
      "Not interested",
      "Left a message",
      "Sent a quote",
      "Do not call",
      "No outcome",
    ]);
});

test("a call of a number that leads share says so, with the whole note, however narrow the log", async () => {
  const person = await newPerson();
  for (const firstName of ["Bob", "Eve"]) {
    const lead = { firstName, lastName: "Stone", email: "stone@example.com", phone: "+12025550103" };
    await ask("/v1/leads", { body: lead, token: person.token });
  }
  const { callSid } = await ask("/v1/calls", { body: { phoneNumber: "+12025550103" }, token: person.token });
  const noted = "Wants forty crates by May";
  await ask(`/v1/calls/${callSid}/disposition`, { method: "PUT", body: { note: noted }, token: person.token });
  const page = await openAs(await openProfile(browser), person);
  const log = page.getByRole("list", { name: "Calls" });
  /** Whether the text is fully inside the box that clips it. */
  const isWhole = (text: string) =>
    log.getByText(text).evaluate((element, { length }) => {
      const range = document.createRange();
      range.setStart(element.firstChild ?? element, 0);
      range.setEnd(element.firstChild ?? element, length);
      const box = element.getBoundingClientRect();
      const rects = [...range.getClientRects()];
      return rects.length > 0 && rects.every(({ right, bottom }) => right <= box.right + 1 && bottom <= box.bottom + 1);
    }, text);
  for (const width of [1280, 1024, 375]) {
    await page.setViewportSize({ width, height: 800 });
    if (width < 768) await page.getByRole("button", { name: "Recent calls" }).click();
    await log.getByText(noted).waitFor();
    for (const text of ["2 leads have this number", noted])
      expect(await isWhole(text), `${text} at ${width}`).toBe(true);
  }
});
