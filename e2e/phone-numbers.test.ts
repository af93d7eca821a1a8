import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countries } from "../packages/contract/src/countries.ts";
import { refusedOnce } from "./support/cut-changes.ts";
import { chooseScreen, inBothLooks, isNarrow } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const owned = "/settings/phone-numbers";
const assign = "/settings/phone-numbers/assign";

const chooseCountry = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Country").click();
  await page.getByRole("option", { name }).click();
};
const buyButtons = (page: Page) => page.getByRole("button", { name: /^Buy \+/ });
/** The first number of the table, as displayed. */
const firstNumber = async (page: Page): Promise<string> =>
  ((await buyButtons(page).first().getAttribute("aria-label")) ?? "").replace("Buy ", "");
const rowOf = (page: Page, number: string) => page.getByRole("row").filter({ hasText: number });
const columns = (page: Page) => page.getByRole("columnheader").allTextContents();
const chooseAction = async (page: Page, number: string, action: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${number}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
};

/** Buys the first number shown, through its confirmation. */
const buyFirst = async (page: Page): Promise<string> => {
  const number = await firstNumber(page);
  await page.getByRole("button", { name: `Buy ${number}`, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: `Buy ${number}?` });
  await dialog.getByRole("button", { name: "Buy number" }).click();
  await page.getByText(`${number} is now yours.`).waitFor();
  await rowOf(page, number).waitFor();
  return number;
};

inBothLooks((look) => {
  test("numbers are found, bought, labelled, made the caller ID and released", async () => {
    const page = await openAs(await openProfile(browser, look), await newPerson(), "/dashboard");
    await chooseScreen(page, "Phone numbers");
    await page.getByRole("link", { name: "Get a phone number", exact: true }).click();
    await chooseCountry(page, "United Kingdom");
    await page.getByLabel("Search by digits or area code", { exact: true }).fill("0161");
    const places = () => page.locator("tbody tr td:nth-child(2)").allTextContents();
    await expect.poll(async () => new Set(await places())).toEqual(new Set(["Manchester"]));
    expect(await columns(page)).toEqual(
      isNarrow(page)
        ? ["Number", "Monthly Fee", "Buy"]
        : ["Number", "Location", "Region", "Capabilities", "Monthly Fee", "Buy"],
    );
    await buyButtons(page).first().click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toMatch(/Monthly fee\$1\.15.*Manchester.*This country asks for an address/);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const first = await buyFirst(page);
    expect(new URL(page.url()).pathname).toBe(owned);
    expect(await columns(page)).toEqual(
      isNarrow(page)
        ? ["Number", "Acquisition date", "Actions"]
        : ["ID", "Number", "Provider", "Acquisition date", "Actions"],
    );
    expect(await rowOf(page, first).textContent()).toMatch(/Caller ID.*Sandbox/);

    await page.getByRole("link", { name: "Get another phone number", exact: true }).click();
    await buyButtons(page).first().waitFor();
    const second = await buyFirst(page);

    await chooseAction(page, second, "Label…");
    await page.getByRole("textbox", { name: "Label" }).fill("Sales desk");
    await page.keyboard.press("Enter");
    await rowOf(page, second).getByText("Sales desk").waitFor();
    const makeCallerId = () => chooseAction(page, second, "Make caller ID");
    await refusedOnce(page, makeCallerId, rowOf(page, second).locator("xpath=following-sibling::tr[1]"));
    await rowOf(page, second).getByText("Caller ID").waitFor();
    expect(await rowOf(page, first).getByText("Caller ID").count()).toBe(0);
    await chooseAction(page, second, "Release…");
    await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
    await chooseAction(page, second, "Release…");
    await page.getByRole("dialog").getByRole("button", { name: "Release number" }).click();
    await page.getByText(`${second} released.`).waitFor();
    await rowOf(page, first).getByText("Caller ID").waitFor();
    expect(await rowOf(page, second).count()).toBe(0);
  });
});

test("the search offers 38 countries, runs again at every change, and sends a text from its second character on", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/dashboard");
  const sent: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith("/available")) sent.push(url.search);
  });
  await page.goto(assign);
  await buyButtons(page).first().waitFor();
  const country = page.getByLabel("Country");
  expect(await country.textContent()).toBe("United States +1");
  await country.click();
  await expect.poll(() => page.getByRole("option").count()).toBe(38);
  const offered = await page.getByRole("option").allTextContents();
  const dialCodes = offered.map((words) => /\+\d+$/.exec(words)?.[0]);
  expect(dialCodes.toSorted()).toEqual(countries.map(({ dialCode }) => dialCode).toSorted());
  const known = ["United States +1", "Canada +1", "United Kingdom +44", "Germany +49", "France +33", "India +91"];
  expect(offered).toEqual(expect.arrayContaining([...known, "Japan +81", "Australia +61"]));
  await page.getByRole("option", { name: "Germany" }).click();
  await page.getByRole("cell", { name: "Munich" }).first().waitFor();

  const search = page.getByLabel("Search by digits or area code", { exact: true });
  await search.fill("3");
  await page.waitForTimeout(600);
  await search.fill("");
  await search.fill("030");
  await expect.poll(() => sent.at(-1)).toBe("?countryCode=DE&query=030");
  await search.fill("99999999");
  await page.getByText("No phone numbers found.", { exact: true }).waitFor();
  expect(sent).toEqual([
    "?countryCode=US",
    "?countryCode=DE",
    "?countryCode=DE&query=030",
    "?countryCode=DE&query=99999999",
  ]);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect.poll(() => sent.length).toBe(5);
  await search.fill("030");
  await page.getByRole("cell", { name: "Berlin" }).first().waitFor();
  await page.reload();
  await page.getByRole("cell", { name: "Berlin" }).first().waitFor();
  expect([await country.textContent(), await search.inputValue()]).toEqual(["Germany +49", "030"]);
});

test("a failed search says so and can be retried, and shows a skeleton of the table meanwhile", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/dashboard");
  let failing = true;
  await page.route("**/phone-numbers/available*", async (route) => {
    if (failing) await route.fulfill({ status: 409, json: { type: "/api/docs#not-supported", detail: "None here." } });
    else await route.continue();
  });
  await page.goto(assign);
  await page.getByText("The numbers for sale couldn’t be loaded").waitFor();
  failing = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await buyButtons(page).first().waitFor();
  await page.route("**/phone-numbers/available*", (route) => setTimeout(() => void route.continue(), 700));
  await chooseCountry(page, "Japan");
  const skeleton = page.getByRole("region", { name: "Numbers for sale, loading" });
  await skeleton.waitFor();
  expect(await columns(page)).toEqual(["Number", "Location", "Region", "Capabilities", "Monthly Fee", "Buy"]);
  await page.getByRole("cell", { name: "Tokyo" }).first().waitFor();
});

test("a number that somebody else bought first is refused with a message, and the search continues", async () => {
  const [person, rival] = await Promise.all([newPerson(), newPerson()]);
  const page = await openAs(await openProfile(browser), person, assign);
  await chooseCountry(page, "South Africa");
  await page.getByRole("cell", { name: "Durban" }).first().waitFor();
  const number = await firstNumber(page);
  await buyButtons(page).first().click();
  await ask("/v1/phone-numbers", { body: { number: number.replaceAll(" ", "") }, token: rival.token });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Buy number" }).click();
  await dialog.getByText("is no longer for sale. Choose another number.").waitFor();
  await dialog.getByRole("button", { name: "Choose another" }).click();
  await expect.poll(() => rowOf(page, number).count()).toBe(0);
  await page.goto(owned);
  await page.getByRole("link", { name: "Get a phone number" }).waitFor();
});
