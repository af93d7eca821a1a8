import type { Browser } from "playwright-core";
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

inBothLooks((look) => {
  test("the only owner deletes an organisation by typing its name, continues in their other one, and then in none", async () => {
    const owner = await newPerson();
    await ask("/v1/organisations", { body: { name: "Pier" }, token: owner.token });
    const page = await openAs(await openProfile(browser, look), owner, "/settings/organisations");
    const deleteIt = async (name: string): Promise<void> => {
      const actions = page.getByRole("button", { name: `Actions for ${name}` });
      const choose = async () => {
        await actions.click();
        await page.getByRole("menuitem", { name: "Delete…" }).click();
      };
      await choose();
      const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
      const button = dialog.getByRole("button", { name: "Delete organisation" });
      expect(await button.isDisabled()).toBe(true);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await expect.poll(() => actions.evaluate((element) => element === document.activeElement)).toBe(true);
      await choose();
      await dialog.getByLabel(`Type “${name}” to confirm`).fill(name);
      await button.click();
      await page.getByText(`${name} deleted.`).waitFor();
      await actions.waitFor({ state: "detached" });
    };
    await deleteIt("Pier");
    await page.getByText("Switched to Harbour.").waitFor();
    await deleteIt("Harbour");
    await page.getByText("You’re not in an organisation yet").waitFor();
    expect(await ask("/v1/organisations", { token: owner.token })).toEqual([]);
  });
});
