import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const answer = async (page: Page, button: "Stay" | "Leave"): Promise<void> => {
  await question(page).getByRole("button", { name: button }).click();
  await question(page).waitFor({ state: "detached" });
};
const path = (page: Page): string => new URL(page.url()).pathname;
const goBack = (page: Page) => page.evaluate(() => history.back());

inBothLooks((look) => {
  test("leaving text typed about one lead asks first, and it never appears on another's page", async () => {
    const { token, ...person } = await newPerson();
    const [ann, bob] = await Promise.all(
      ["Ann Rivers +12025550118", "Bob Stone +12025550119"].map(async (lead) => {
        const [firstName, lastName, phone] = lead.split(" ");
        return ask("/v1/leads", { body: { firstName, lastName, email: `${firstName}@x.example`, phone }, token });
      }),
    );
    const page = await openAs(await openProfile(browser, look), { token, ...person }, `/leads/${bob.id}`);
    const note = page.getByRole("textbox", { name: "Note" });
    await page.getByRole("heading", { name: "Bob Stone" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /find a lead/ }).fill("rivers");
    await page.getByRole("option", { name: "Ann Rivers" }).click();
    await page.getByRole("heading", { name: "Ann Rivers" }).waitFor();

    await note.fill("Wants a quote");
    await page.getByRole("tab", { name: "Calls" }).click();
    await page.getByRole("tab", { name: "Notes" }).click();
    await note.focus();
    await goBack(page);
    await answer(page, "Stay");
    await expect.poll(() => path(page)).toBe(`/leads/${ann.id}`);
    expect(await note.inputValue()).toBe("Wants a quote");
    await expect.poll(() => note.evaluate((field) => field === document.activeElement)).toBe(true);
    await goBack(page);
    await answer(page, "Leave");
    await page.getByRole("heading", { name: "Bob Stone" }).waitFor();
    expect(path(page)).toBe(`/leads/${bob.id}`);
    await expect.poll(() => note.inputValue()).toBe("");
    await page.goForward();
    await page.getByRole("heading", { name: "Ann Rivers" }).waitFor();
    expect(await note.inputValue()).toBe("");

    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Ann Rivers" });
    await dialog.getByLabel("Phone").press("Control+a");
    await page.keyboard.type("+1 202 555 0119");
    await page.keyboard.press("Escape");
    await answer(page, "Stay");
    const phone = dialog.getByLabel("Phone");
    await expect.poll(() => phone.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Tab");
    await dialog.getByRole("link", { name: "Bob Stone" }).click();
    await answer(page, "Leave");
    await page.getByRole("heading", { name: "Bob Stone" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await page.getByRole("dialog").getByLabel("First name").inputValue()).toBe("Bob");
  });

  test("switching organisations with a half-filled form needs the user's confirmation", async () => {
    const { token, ...person } = await newPerson();
    await ask("/v1/organisations", { body: { name: "Quay" }, token });
    const page = await openAs(await openProfile(browser, look), { token, ...person }, "/settings/general");
    const name = page.getByLabel("Name");
    const switchTo = async (organisation: string) => {
      await page.getByRole("button", { name: /^Organisation/ }).click();
      await page.getByRole("menuitemradio", { name: organisation }).click();
    };
    await name.fill("Quay West");
    await switchTo("Harbour");
    await answer(page, "Stay");
    expect(await name.inputValue()).toBe("Quay West");
    await switchTo("Harbour");
    await answer(page, "Leave");
    await page.getByText("Switched to Harbour.").waitFor();
    await expect.poll(() => name.inputValue()).toBe("Harbour");
    await switchTo("Quay");
    await expect.poll(() => name.inputValue()).toBe("Quay");
  });
});

test("a lead half entered in one tab is never saved in an organisation that another tab has switched to", async () => {
  const { token, ...person } = await newPerson();
  const name = "Quayside Chandlery and Rigging Supplies";
  await ask("/v1/organisations", { body: { name }, token });
  const [harbour, quay] = (await ask("/v1/organisations", { token })).toSorted(
    (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name),
  );
  const page = await openAs(await openProfile(browser), { token, ...person }, "/leads/new");
  const email = page.getByLabel("Email");
  for (const [field, value] of Object.entries({ "First name": "Bob", "Last name": "Stone", Phone: "+12025550100" }))
    await page.getByLabel(field).fill(value);
  await email.fill("bob@stone.example");
  const switchElsewhere = () => ask(`/v1/users/set-organisation/${harbour.id}`, { method: "PUT", token });
  await switchElsewhere();
  await page.getByRole("dialog", { name: "You switched to Harbour" }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  const { x: left = 0, width = 0 } = (await page.getByRole("dialog").boundingBox()) ?? {};
  for (const button of await page.getByRole("dialog").getByRole("button").all()) {
    const box = await button.boundingBox();
    expect(box?.x).toBeGreaterThan(left);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(left + width);
  }
  await page.getByRole("button", { name: `Go back to ${name}` }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await email.inputValue()).toBe("bob@stone.example");

  // Pressed before the page can know about the switch.
  await page.route("**/api/v1/users/me", (route) => route.abort());
  await switchElsewhere();
  await page.getByRole("button", { name: "Add lead" }).click();
  await page.getByText("You’ve switched to another organisation, so nothing was done.").first().waitFor();
  expect(await ask("/v1/leads", { token })).toEqual([]);
  await page.unroute("**/api/v1/users/me");
  await page.reload();
  await ask(`/v1/users/set-organisation/${quay.id}`, { method: "PUT", token });
  expect(await ask("/v1/leads", { token })).toEqual([]);
});

test("text half typed about a lead survives a switch in another tab", async () => {
  const { token, ...person } = await newPerson();
  const quay = await ask("/v1/organisations", { body: { name: "Quay" }, token });
  const [harbour] = (await ask("/v1/organisations", { token })).filter(({ id }: { id: string }) => id !== quay.id);
  const ann = await ask("/v1/leads", {
    body: { firstName: "Ann", lastName: "Rivers", email: "ann@x.example", phone: "+12025550118" },
    token,
  });
  const page = await openAs(await openProfile(browser), { token, ...person }, `/leads/${ann.id}`);
  const switchElsewhereAndBack = async () => {
    await Promise.all([
      page.waitForResponse((response) => response.status() === 409),
      ask(`/v1/users/set-organisation/${harbour.id}`, { method: "PUT", token }),
    ]);
    await page.getByRole("dialog", { name: "You switched to Harbour" }).waitFor();
    // By now the page has refetched whatever it would refetch.
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
    await page.waitForTimeout(300);
    await page.getByRole("button", { name: "Go back to Quay" }).click();
    await page.getByRole("dialog", { name: "You switched to Harbour" }).waitFor({ state: "detached" });
  };
  const note = page.getByRole("textbox", { name: "Note", includeHidden: true });
  await note.fill("Wants a quote");
  await switchElsewhereAndBack();
  expect(await note.inputValue()).toBe("Wants a quote");
  await page.getByRole("button", { name: "Edit" }).click();
  const lastName = page.getByRole("dialog", { name: "Edit Ann Rivers" }).getByLabel("Last name");
  await lastName.fill("Brooks");
  await switchElsewhereAndBack();
  expect([await lastName.inputValue(), await note.inputValue()]).toEqual(["Brooks", "Wants a quote"]);
});

test("Escape asks before discarding an outcome's new name, and two half-filled forms on one page ask once", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/settings/outcomes");
  await page.getByRole("button", { name: "Actions for Interested" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const name = page.getByLabel("New name for “Interested”");
  await name.fill("Keen");
  await name.press("Escape");
  await answer(page, "Stay");
  expect(await name.inputValue()).toBe("Keen");
  await name.press("Escape");
  await answer(page, "Leave");
  await name.waitFor({ state: "detached" });

  await page.goto("/settings/account");
  await page.getByLabel("First name").fill("Robyn");
  await page.getByLabel("New password").fill("half a phr");
  await page.getByRole("link", { name: "Sessions" }).click();
  await question(page).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  await answer(page, "Leave");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
});
