import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Person } from "../../testing/sign-up.ts";
import { findings } from "./axe-findings.ts";
import { ask } from "./people.ts";

/** Chooses the field that the organisation has for its next steps, and finds one of them at a lead. */
export async function mapNextStep(page: Page, { token }: Person, label: string): Promise<void> {
  await page.goto("/integrations");
  const row = page.getByRole("row").filter({ hasText: label });
  await row.getByRole("button", { name: `Actions for ${label}` }).click();
  await page.getByRole("menuitem", { name: "Map fields" }).click();
  const nextStep = page.getByRole("combobox", { name: "Next step" });
  await expect.poll(() => nextStep.innerText()).toBe("Nothing");
  await nextStep.click();
  await page.getByRole("option", { name: "Next Step" }).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await expect
    .poll(async () => (await ask("/v1/leads?sort=-nextStep&limit=1", { token }))[0].nextStep)
    .toBe("Send the price list");
  const [lead] = await ask("/v1/leads?sort=-nextStep&limit=1", { token });
  await page.goto(`/leads/${lead.id}`);
  await expect.poll(() => page.getByRole("textbox", { name: "Next step" }).inputValue()).toBe("Send the price list");
}
