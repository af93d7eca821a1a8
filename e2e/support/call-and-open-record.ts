import type { Page } from "playwright-core";
import { expect } from "vitest";
import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";
import type { Person } from "../../testing/sign-up.ts";
import { findings } from "./axe-findings.ts";
import { isNarrow } from "./looks.ts";
import { ask } from "./people.ts";

/** Opens a lead's record in the CRM, calls the lead, and checks that the CRM has the call and its note. */
export async function callAndOpenRecord(page: Page, person: Person, crm: string): Promise<void> {
  const [lead] = await ask(`/v1/leads?search=${encodeURIComponent("+12025550101")}`, { token: person.token });
  await page.goto(`/leads/${lead.id}`);
  await page.getByRole("region", { name: "Details" }).getByText(lead.company).waitFor();
  const open = page.getByRole("link", { name: `Open in ${crm}` });
  await open.waitFor();
  expect(await findings(page)).toEqual([]);
  const [there] = await Promise.all([page.waitForEvent("popup"), open.click()]);
  await there.getByText(lead.company).waitFor();
  await there.getByText(lead.jobTitle).waitFor();
  await there.close();
  await page.goto("/calls");
  await dial(page, "+12025550101");
  await untilAnswered(page);
  await hangUp(page);
  if (isNarrow(page)) await page.getByRole("button", { name: "Note and outcome" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("Wants a quote.");
  const logged = page.getByRole("link", { name: `Logged in ${crm}` }).first();
  await logged.waitFor();
  expect(await findings(page)).toEqual([]);
  const [record] = await Promise.all([page.waitForEvent("popup"), logged.click()]);
  await record.getByText("Call to +12025550101").waitFor();
  await expect
    .poll(async () => {
      await record.reload();
      return record.getByText("Wants a quote.").isVisible();
    })
    .toBe(true);
  expect(await findings(record)).toEqual([]);
  await record.close();
}
