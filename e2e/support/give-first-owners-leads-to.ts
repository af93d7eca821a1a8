import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Person } from "../../testing/sign-up.ts";
import { findings } from "./axe-findings.ts";
import { ask } from "./people.ts";

/** Maps the first owner of the only integration to its only member, from the list; its leads follow without a sync. */
export async function giveFirstOwnersLeadsTo(page: Page, { token }: Person): Promise<void> {
  const lastSync = async () => (await ask("/v1/integrations", { token }))[0].lastSync;
  await expect.poll(async () => (await lastSync()).status).toBe("completed");
  const synced = await lastSync();
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Map fields" }).click();
  await page.getByRole("group", { name: "Owners" }).getByRole("combobox").first().click();
  // The first option is by email.
  await page.getByRole("option").nth(1).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Leads move to their owners in the background.", { exact: false }).waitFor();
  await expect.poll(async () => (await ask("/v1/leads?owner=me&limit=1", { token })).length).toBe(1);
  expect(await lastSync()).toEqual(synced);
}
