import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test.each([
  { colorScheme: "light", viewport: { width: 1280, height: 800 }, vendor: 0 },
  { colorScheme: "dark", viewport: { width: 375, height: 740 }, vendor: 1 },
] as const)(
  "an owner buys a number from their own account, which the carrier bills, and releases it: vendor $vendor, $colorScheme",
  async ({ vendor: index, ...look }) => {
    const person = await newPerson();
    const kinds = await ask("/v1/carrier-accounts/kinds", { token: person.token });
    const { vendor, name, sandboxKey: key } = kinds[index];
    await ask("/v1/carrier-accounts", { token: person.token, body: { vendor, label: "Sales", key } });
    await expect
      .poll(async () => (await ask("/v1/carrier-accounts", { token: person.token }))[0].state)
      .toBe("connected");
    const profile = await openProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" });
    const page = await openAs(profile, person, "/settings/phone-numbers/assign");
    await page.getByText(`${name} sells these numbers and bills you for them.`).waitFor();

    await page.getByLabel("Country").click();
    await page.getByRole("option", { name: "France" }).click();
    const buyFirst = () =>
      page
        .getByRole("button", { name: /^Buy \+/ })
        .first()
        .click();
    await page
      .getByRole("button", { name: /^Buy \+33/ })
      .first()
      .waitFor();
    await buyFirst();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("alert").first().waitFor();
    expect(await dialog.getByRole("button", { name: "Buy number" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByLabel("Country").click();
    await page.getByRole("option", { name: "Canada" }).click();
    await page.getByLabel("Search by digits or area code", { exact: true }).fill("Toronto");
    await page
      .getByRole("button", { name: /^Buy \+1/ })
      .first()
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await buyFirst();
    await dialog.getByText("The number and its fee aren’t real. Your Leadline balance isn’t charged.").waitFor();
    await dialog.getByRole("button", { name: "Buy number" }).click();
    await page.getByText(/ is now yours\.$/).waitFor();
    const row = page.getByRole("row").filter({ hasText: "Caller ID" });
    await row.waitFor();
    await page.getByText(`1 number at ${name}’s sandbox, `).waitFor();
    expect(await findings(page)).toEqual([]);

    await row.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Release…" }).click();
    await dialog.getByText(/Calls to it won’t ring here any more/).waitFor();
    await dialog.getByRole("button", { name: "Release number" }).click();
    await page.getByRole("link", { name: "Get a phone number", exact: true }).waitFor();

    await page.goto("/settings/phone-numbers/assign");
    await page.getByRole("button", { name: "Check the account" }).click();
    await page
      .getByText("The account has no other numbers.")
      .or(page.getByRole("region", { name: `Numbers at ${name}` }))
      .waitFor();
  },
);

test("an owner who connects an account sees the numbers that it has, and uses them here with one click", async () => {
  const person = await newPerson();
  const { token } = person;
  const [{ vendor, name, sandboxKey: key }] = await ask("/v1/carrier-accounts/kinds", { token });
  const connected = async (): Promise<string> => {
    const { id } = await ask("/v1/carrier-accounts", { token, body: { vendor, label: "Sales", key } });
    await expect.poll(async () => (await ask("/v1/carrier-accounts", { token }))[0].state).toBe("connected");
    return id;
  };
  const accountId = await connected();
  const [{ number }] = await ask(`/v1/phone-numbers/available?countryCode=US&accountId=${accountId}`, { token });
  await ask("/v1/number-orders", { token, body: { accountId, number, countryCode: "US" } });
  await ask(`/v1/carrier-accounts/${accountId}`, { token, method: "DELETE" });
  await connected();

  const look = { viewport: { width: 1280, height: 800 }, bypassCSP: true, reducedMotion: "reduce" } as const;
  const profile = await openProfile(browser, look);
  const page = await openAs(profile, person, "/settings/carriers");
  await page.getByText("No number yet", { exact: false }).waitFor();
  const numbers = page.getByRole("region", { name: `Numbers at ${name}` });
  await numbers.getByRole("button", { name: /^Use \d+ numbers? here$/ }).waitFor();
  expect(await findings(page)).toEqual([]);
  await numbers.getByRole("button", { name: /^Use \d+ numbers? here$/ }).click();
  await page.getByText(/ rings? here now\.$/).waitFor();
  await numbers.waitFor({ state: "detached" });
  expect((await ask("/v1/phone-numbers", { token })).map((each: { number: string }) => each.number)).toContain(number);
  await page.getByText("No number yet", { exact: false }).waitFor({ state: "detached" });
});
