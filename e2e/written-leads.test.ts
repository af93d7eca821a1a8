import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { askAt, openAs, type Person, signUp } from "../testing/sign-up.ts";
import { type RunningApp, startApp } from "../testing/start-app.ts";
import { findings } from "./support/axe-findings.ts";
import { connectCrm } from "./support/connect-crm.ts";
import { openSharedProfile } from "./support/people.ts";

// Its own app, as what is written to the sandbox CRM would be among other journeys' leads.
let browser: Browser;
let app: RunningApp;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startApp()]);
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const ask = (path: string, { token }: Person, more: { method?: string; body?: object } = {}) =>
  askAt(app.address, path, { token, ...more });

test("changes of a lead reach the CRM, a change that was made there wins, and a new lead is created there", async () => {
  const [person, colleague] = [
    await signUp(app.address, { organisation: "Harbour" }),
    await signUp(app.address, { organisation: "Quay" }),
  ];
  const profile = { baseURL: app.address, bypassCSP: true };
  const page = await openAs(await openSharedProfile(browser, profile), person, "/dashboard");
  const theirs = await openAs(await openSharedProfile(browser, profile), colleague, "/dashboard");
  const services: { name: string; choosesSource: boolean }[] = await ask("/v1/integrations/services", person);
  const crm = services.find(({ choosesSource }) => !choosesSource)?.name ?? "";
  await connectCrm(page, { service: crm, label: "Harbour CRM" });
  await connectCrm(theirs, { service: crm, label: "Quay CRM" });

  for (const each of [page, theirs]) {
    await each.getByRole("button", { name: /^Actions for/ }).click();
    await each.getByRole("menuitem", { name: "Map fields" }).click();
    const sends = each.getByRole("checkbox", { name: `Send changes to ${crm}` });
    await sends.click();
    await expect.poll(async () => (await sends.isEnabled()) && (await sends.isChecked())).toBe(true);
  }
  expect(await findings(page)).toEqual([]);
  const query = "/v1/leads?limit=1&sort=name&status=New";
  const [[lead], [same]] = [await ask(query, person), await ask(query, colleague)];
  expect(same.email).toBe(lead.email);

  await page.goto(`/leads/${lead.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Company" }).fill("Granite Works");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText(`Up to date in ${crm}`).waitFor();
  expect(await findings(page)).toEqual([]);
  const [there] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: `Open in ${crm}` }).click(),
  ]);
  await there.getByText("Granite Works").waitFor();
  await there.close();

  // The other organisation uses the same CRM, and hasn't synced since.
  await theirs.goto(`/leads/${same.id}`);
  await theirs.getByRole("button", { name: "Edit" }).click();
  await theirs.getByRole("dialog").getByRole("textbox", { name: "Company" }).fill("Marble Works");
  await theirs.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await theirs.getByText(`Company was changed in ${crm} as well`).waitFor();
  await theirs.getByRole("region", { name: "Details" }).getByText("Granite Works").waitFor();
  await theirs.getByRole("tab", { name: "Timeline" }).click();
  await theirs.getByText("from Marble Works to Granite Works").waitFor();

  const body = { firstName: "Rosalind", lastName: "Quarry", email: "rosalind@quarry.example", phone: "+12025550177" };
  const added = await ask("/v1/leads", person, { body });
  await page.goto(`/leads/${added.id}`);
  await page.getByRole("button", { name: "More for Rosalind Quarry" }).click();
  await page.getByRole("menuitem", { name: `Create in ${crm}` }).click();
  await page.getByText("requires a value for Company").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Company" }).fill("Quarry & Co");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText(`Up to date in ${crm}`).waitFor();
  const [record] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: `Open in ${crm}` }).click(),
  ]);
  await record.getByText("rosalind@quarry.example").waitFor();
});
