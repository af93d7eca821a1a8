import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { inBothLooks, openSidebar } from "./support/looks.ts";
import { expectNoSettingsToChange } from "./support/settings-of-members.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person, signUp } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** A person who has joined the owner's organisation as an analyst. */
async function newAnalyst(owner: Person): Promise<Person> {
  const analyst = await signUp(inject("appAddress"));
  const { id } = await ask("/v1/invitations", { body: { email: analyst.email, role: "analyst" }, token: owner.token });
  const { url } = await ask(`/v1/invitations/${id}/link`, { method: "POST", token: owner.token });
  await ask("/v1/invitations/accept", { body: { token: new URL(url).hash.slice(1) }, token: analyst.token });
  return analyst;
}

inBothLooks((look) => {
  test("an analyst reads every screen, is offered nothing to change or call, and requests nothing that is refused", async () => {
    const owner = await newPerson();
    const lead = { firstName: "Ada", lastName: "Stone", email: "ada@stone.example", phone: "+12025550100" };
    const { id } = await ask("/v1/leads", { body: { ...lead, followUpOn: "2031-01-01" }, token: owner.token });
    const page = await openAs(await openProfile(browser, look), await newAnalyst(owner), "/dashboard");
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(new URL(response.url()).pathname);
    });
    const main = page.getByRole("main");
    const offered = /^(Call|New lead|Edit|Add|Save|Merge|Import|Sync|Invite|Delete|Switch to)\b/;
    const readScreen = async (path: string): Promise<void> => {
      await page.goto(path);
      await main.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
      await expect
        .poll(() => main.locator("[aria-busy=true], .animate-pulse, [role=status][aria-label^=Loading]").count())
        .toBe(0);
      const controls = await main
        .locator("button:enabled:not([role=tab]), a")
        .evaluateAll((each) => each.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""));
      expect({ path, offered: controls.filter((name) => offered.test(name.trim())) }).toEqual({ path, offered: [] });
    };
    for (const path of ["/dashboard", "/integrations", "/leads", `/leads/${id}`, "/calls", "/calls?tab=call-back"])
      await readScreen(path);
    for (const path of ["/settings/do-not-call", "/settings/billing"]) await readScreen(path);
    await page.goto(`/leads/${id}`);
    await main.getByText("ada@stone.example").waitFor();
    await page.goto("/leads/new");
    await main.getByText("You have read-only access.").waitFor();
    await expectNoSettingsToChange(page);
    expect(refused).toEqual([]);
    const screens = await (await openSidebar(page)).allTextContents();
    expect(screens).toContain("Leads");
    expect(screens).not.toContain("Carriers");
  });
});
