import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { dial } from "../testing/dial.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test.each([
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 375, height: 740 } },
] as const)("an owner tops up, leaves, comes back, pays, and is refunded: $colorScheme", async (look) => {
  const page = await openAs(
    await openProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" }),
    await newPerson(),
    "/settings/billing",
  );
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
  const backHere = () => page.waitForURL("**/settings/billing/top-ups/*");
  await page.getByText("No top-ups yet").waitFor();
  await press("Billing details");
  await page.getByLabel("Address").fill("1 Quay Street\nHarbourtown");
  expect(await findings(page)).toEqual([]);
  await press("Save changes");
  await page.getByText("Billing details saved.").waitFor();
  await press("Top up");
  expect(await findings(page)).toEqual([]);
  await page.getByLabel(/Other amount/).fill("2");
  await press("Continue to payment");
  await page.getByText("Enter an amount from $5 to $1,000.").waitFor();
  await press("$50");
  await press("Continue to payment");
  await page.getByText("No money moves here").waitFor();
  expect(await findings(page)).toEqual([]);

  await press("Leave without paying");
  await backHere();
  await page.getByText("Waiting for payment").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await press("Pay $50.00");
  await backHere();
  await page.getByText("your balance includes it").waitFor();
  const [receipt] = await Promise.all([page.waitForEvent("download"), press("Download receipt")]);
  expect(receipt.suggestedFilename()).toMatch(/^receipt-[0-9A-F]{8}-0001\.pdf$/);

  await page.getByRole("link", { name: "Billing", exact: true }).last().click();
  await page.getByText("Your balance is $50.00.").waitFor();
  await page.getByRole("region", { name: "Top-ups" }).getByText("Paid", { exact: true }).waitFor();
  await page.getByRole("region", { name: "Statement" }).getByText("Top-up", { exact: true }).waitFor();
  const [statement] = await Promise.all([page.waitForEvent("download"), press("Download PDF")]);
  expect(statement.suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}\.pdf$/);
  expect(await findings(page)).toEqual([]);

  await page.getByRole("region", { name: "Top-ups" }).getByRole("link").first().click();
  await page.getByRole("link", { name: "Open in the sandbox" }).click();
  await press("Refund $50.00");
  await page.getByRole("link", { name: "Back to Leadline" }).click();
  await page.getByText("Refunded").first().waitFor();
  await page.getByRole("link", { name: "Billing", exact: true }).last().click();
  const statementOf = page.getByRole("region", { name: "Statement" });
  await statementOf.getByText("−$50.00").waitFor();
  await statementOf.getByRole("combobox", { name: "Kind of entry" }).click();
  await page.getByRole("option", { name: "Refund" }).click();
  await statementOf.getByText("Top-up", { exact: true }).waitFor({ state: "detached" });
  const [entries] = await Promise.all([page.waitForEvent("download"), press("Download CSV")]);
  expect(
    readFileSync(await entries.path(), "utf8")
      .trim()
      .split("\n"),
  ).toHaveLength(2);
  await page.getByRole("heading", { name: "Metered" }).waitFor();
  await press("Switch to prepaid");
  await page.getByRole("heading", { name: "Prepaid" }).waitFor();
  await page.getByRole("banner").getByText("Balance: $0.00").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.goto(new URL("/calls", page.url()).href);
  await dial(page, "+12025550100");
  const refusal = page.getByRole("alertdialog");
  await refusal.getByText(/balance doesn’t cover the first minute of this call \(\$0\.01\)/).waitFor();
  await refusal.getByRole("link", { name: "Open Billing" }).click();
  await page.waitForURL("**/settings/billing");

  await page.goto(new URL("/settings/audit-log", page.url()).href);
  await page.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option", { name: "Leadline", exact: true }).click();
  const settled = page.getByRole("list", { name: "Changes" }).getByText("Top up settled automatically by Leadline");
  await expect.poll(() => settled.count()).toBe(2);
  expect(await findings(page)).toEqual([]);
  await page.context().close();
});

test("a declined payment says so, and an open top-up can be canceled", async () => {
  const page = await openAs(await openProfile(browser, {}), await newPerson(), "/settings/billing");
  const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
  for (const [action, outcome] of [
    ["Decline the payment", "The payment was declined. You haven’t been charged."],
    ["Leave without paying", "Waiting for payment"],
  ] as const) {
    await page.goto(new URL("/settings/billing", page.url()).href);
    await press("Top up");
    await press("Continue to payment");
    await press(action);
    await page.getByText(outcome).waitFor();
  }
  await press("Cancel top-up");
  await page.getByText("The payment was canceled").waitFor();
  expect(await page.getByText("You haven’t been charged.").count()).toBe(1);
  await page.context().close();
});

test.each([
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 375, height: 740 } },
] as const)(
  "an owner is mailed about a low balance, and sets up automatic top-ups with a saved card: $colorScheme",
  async (look) => {
    const person = await newPerson();
    await ask("/v1/billing/mode", { method: "PUT", token: person.token, body: { mode: "prepaid" } });
    const profile = await openProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" });
    const page = await openAs(profile, person, "/settings/billing");
    const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
    await press("Turn on low-balance email");
    await page.getByLabel("Below (US$)").fill("15");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Owners are mailed once each time the balance falls below $15.00.").waitFor();

    await page.getByText("Off. To use it, save a payment method when you top up.").waitFor();
    await page.getByRole("button", { name: "Top up", exact: true }).click();
    await page.getByLabel("Save the payment method for automatic top-ups").check();
    await press("$50");
    await press("Continue to payment");
    await press("Pay $50.00");
    await page.getByText("your balance includes it").waitFor();
    await page.goto("/settings/billing");
    await press("Turn on automatic top-up");
    await page.getByLabel("Add (US$)").fill("2000");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter an amount from $5 to $1,000.").waitFor();
    await page.getByLabel("Add (US$)").fill("25");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Your password").fill(person.password);
    await page.keyboard.press("Enter");
    const added =
      "Adds $25.00 with Sandbox card when the balance falls below $10.00: $0.00 of at most $200.00 this month.";
    await page.getByText(added).waitFor();
    expect(await findings(page)).toEqual([]);
    await press("Turn off");
    await page.getByText("Off. Sandbox card is saved for it.").waitFor();
  },
);
