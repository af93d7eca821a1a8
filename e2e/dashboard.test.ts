import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, openProfile } from "./support/people.ts";
import { openAs, type Person, signUp } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Called and hung up through the API, because this test isn't about audio. */
async function talk(person: Person, phoneNumber: string, talkMs: number): Promise<string> {
  const { callSid } = await ask("/v1/calls", { body: { phoneNumber }, token: person.token });
  await sleep(talkMs);
  await ask(`/v1/calls/${callSid}/hang-up`, { method: "POST", token: person.token });
  return callSid;
}
const figure = (page: Page, label: string) =>
  page
    .locator("dl > div")
    .filter({ has: page.getByText(label) })
    .locator("dd")
    .first();

inBothLooks((look) => {
  test("the dashboard guides a newcomer through the first steps, then shows the server's figures", async () => {
    const person = await signUp(inject("appAddress"), {});
    const page = await openAs(await openProfile(browser, look), person, "/dashboard");
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("link", { name: "Create organisation" }).waitFor();
    const steps = page.getByRole("region", { name: "First steps" }).getByRole("listitem").locator("p:first-child");
    expect(await steps.allInnerTexts()).toEqual([
      "Create an organisation",
      "Place a test call",
      "Connect a CRM",
      "Get a number",
    ]);
    await ask("/v1/organisations", { body: { name: "Harbour" }, token: person.token });
    await page.reload();
    await page.getByRole("link", { name: "Open the dial pad" }).waitFor();

    const answered = await talk(person, "+12025550100", 2_500);
    await talk(person, "+12025550102", 300);
    const outcomes: { id: string; name: string }[] = await ask("/v1/call-outcomes", { token: person.token });
    const callBackOutcome = outcomes.find(({ name }) => name === "Call back");
    await ask(`/v1/calls/${answered}/disposition`, {
      method: "PUT",
      body: { outcomeId: callBackOutcome?.id, note: "Ask for Ms Field" },
      token: person.token,
    });

    await page.reload();
    await expect.poll(() => figure(page, "Calls").textContent()).toBe("2");
    expect(await figure(page, "Connect rate").textContent()).toBe("50 %");
    const { durationMs } = await ask(`/v1/calls/${answered}`, { token: person.token });
    const shown = `0:${String(Math.floor(durationMs / 1000)).padStart(2, "0")}`;
    expect(await figure(page, "Talk time").textContent()).toBe(shown);
    await page.getByText(`Talk time, ${shown} a call`).waitFor();
    const hours = page.getByRole("table", { name: "Calls by hour" }).getByRole("row");
    const counted = await hours.evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.children].slice(1).map((cell) => Number(cell.textContent))),
    );
    // In one row, unless the hour changed between the calls.
    expect([0, 1, 2].map((column) => counted.reduce((sum, row) => sum + (row[column] ?? NaN), 0))).toEqual([2, 1, 0]);
    await page.locator("svg.recharts-surface").first().waitFor();
    await page.getByRole("region", { name: "Outcomes" }).getByText("Call back").waitFor();
    // One started minute at the sandbox's price.
    await page.getByText("$0.01", { exact: true }).first().waitFor();

    await page.getByRole("radio", { name: "7 days" }).click();
    await page.waitForURL("**/dashboard?period=7-days");
    await expect.poll(() => figure(page, "Calls").textContent()).toBe("2");

    const callBack = page.getByRole("region", { name: "To call back" });
    await expect.poll(() => callBack.textContent()).toContain("Ask for Ms Field");
    await callBack.getByRole("button", { name: "Call +1 202 555 0100" }).click();
    await page.waitForURL("**/calls");
    await page.getByRole("button", { name: "Hang up" }).click();
  });
});
