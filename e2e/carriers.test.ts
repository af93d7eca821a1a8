import { account, openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
let stage: Stage;
let trunk: number;
beforeAll(async () => {
  [browser, stage] = await Promise.all([openBrowser(), openStage()]);
  trunk = (await stage.kamailio({ callees: {} })).port;
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 375, height: 740 } };
const looks = [
  { colorScheme: "light", size: "wide" },
  { colorScheme: "dark", size: "narrow" },
] as const;

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name }).click();
  await page.getByRole("option", { name: option }).click();
}
const message = (page: Page, words: string) => page.getByRole("alert").filter({ hasText: words }).waitFor();
async function act(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: item }).click();
}
test.each(looks)(
  "an owner connects a trunk by its form, tests, changes, disables and removes it: $colorScheme, $size",
  async ({ colorScheme, size }) => {
    const look = { colorScheme, viewport: sizes[size] };
    const person = await newPerson();
    const page = await openAs(
      await openProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" }),
      person,
      "/settings/carriers",
    );
    await page.getByText("No carriers yet").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("link", { name: "Connect a carrier" }).click();

    await page.getByLabel("Server").fill("not a host");
    await page.getByLabel("Your numbers").fill("+442079460123\n020 7946");
    await page.getByText("Advanced").click();
    await page.getByLabel("Give up ringing after").fill("a while");
    await page.getByText("Advanced").click();
    const price = page.getByLabel("Price per minute (US$)");
    await price.fill("0.01355");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await message(page, "Label must be at least 2 characters.");
    await message(page, "Enter dollars with at most four decimals, such as 0.0135.");
    await page.getByLabel("Label").fill("Main trunk");
    await price.fill("0.0135");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await message(page, "Enter a name or an IP address, with :port if you were given one.");
    await message(page, "020 7946: Enter numbers as +, country code, number.");
    // The collapsed section opens if it contains an error.
    await message(page, "Enter a whole number from 10 to 300.");
    await expect.poll(() => page.locator(":focus").getAttribute("value")).toBe("not a host");
    expect(await findings(page)).toEqual([]);

    await page.getByLabel("Server").fill(`127.0.0.1:${trunk}`);
    await page.getByLabel("Your numbers").fill("+442079460123");
    await page.getByLabel("Give up ringing after").fill("30");
    await choose(page, "Transport", "UDP");
    await page.getByLabel("User", { exact: true }).fill(account.user);
    await page.getByLabel("Password").fill("not the password");
    // A wrong limit is marked at its own field.
    const perSecond = page.getByLabel("New calls per second");
    await perSecond.fill("0");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await message(page, "At least 0.1 a second.");
    await expect.poll(() => perSecond.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await perSecond.fill("");
    await page.getByRole("button", { name: "Test connection" }).click();
    const result = page.getByRole("status", { name: "Connection test" });
    await result.getByText("The connection does not work yet").waitFor();
    await result.getByText(/rejected our registration/).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("Password").fill(account.password);
    await page.getByRole("button", { name: "Test connection" }).click();
    await result.getByText("The connection works").waitFor();
    await page.getByRole("button", { name: "Connect", exact: true }).click();

    await page.waitForURL("**/settings/carriers");
    const row = page.getByRole("row", { name: /Main trunk/ });
    await row.getByText("In use", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);

    await act(page, "Rates");
    await page
      .getByRole("row", { name: /All numbers/ })
      .getByText("$0.0135/min")
      .waitFor();
    await page.getByRole("button", { name: "Add a rate" }).click();
    await page.getByLabel("Prefix", { exact: true }).fill("+44 20");
    await page.getByLabel("Price per minute").fill("0.02");
    await page.getByLabel("Connection fee").fill("0.005");
    await page.getByLabel("First seconds").fill("30");
    await page.getByLabel("Next seconds").fill("6");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save rate" }).click();
    // Shorter increments make short calls cheaper.
    const question = page.getByRole("dialog", { name: "Confirm it’s you" });
    await question.getByLabel("Your password").fill(person.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await page
      .getByRole("row", { name: /\+4420/ })
      .getByText("$0.02/min + $0.005 a call")
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goto(new URL("/settings/carriers", page.url()).href);

    await act(page, "Edit");
    await page.getByLabel("Label").fill("London trunk");
    expect(await price.count()).toBe(0);
    // The password is kept without being typed again.
    await page.getByText("Saved. Enter a new one to replace it.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /London trunk/ }).waitFor();
    await act(page, "Test connection");
    await page.getByRole("dialog").getByText("The connection works").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await act(page, "Stop using it");
    await page.getByText("No calls go there.").waitFor();
    await page.getByRole("button", { name: "Use for calls" }).click();
    await page
      .getByRole("row", { name: /London trunk/ })
      .getByText("In use", { exact: true })
      .waitFor();

    await act(page, "Remove");
    await page.getByText("New calls go to the next carrier in use, or to the sandbox if there is none.").waitFor();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("No carriers yet").waitFor();
  },
);
