import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A member can read the organisation's settings, and is offered nothing that the server would refuse. */
export async function expectNoSettingsToChange(page: Page): Promise<void> {
  for (const name of ["General", "Members", "Phone numbers", "Voicemail", "Outcomes", "Limits"]) {
    await page.goto(`/settings/${name.toLowerCase().replace(" ", "-")}`);
    const main = page.getByRole("main");
    await main.getByRole("heading", { name, exact: true }).waitFor();
    await expect.poll(() => main.locator("[aria-busy=true], [role=status][aria-label^=Loading]").count()).toBe(0);
    const fields = await main
      .locator("input:enabled:not([readonly], [type=range]), textarea:enabled")
      .evaluateAll((each) => each.map((field) => field.outerHTML));
    expect(fields).toEqual([]);
    const buttons = await main.getByRole("button", { disabled: false }).allTextContents();
    expect(buttons.filter((button) => /^(Save|Invite|Add|Get|Move|Change|Rename)/.test(button))).toEqual([]);
  }
}
