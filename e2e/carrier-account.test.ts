import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
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
] as const)(
  "an owner connects an account by its key, is shown each step, compares a call with the carrier's record, and disconnects: $colorScheme",
  async (look) => {
    const person = await newPerson();
    const profile = await openProfile(browser, { ...look, bypassCSP: true, reducedMotion: "reduce" });
    const page = await openAs(profile, person, "/settings/carriers");
    await page.getByRole("link", { name: "Connect a carrier" }).click();
    await page.getByRole("combobox", { name: "Carrier" }).click();
    await page
      .getByRole("option", { name: /by API key/ })
      .first()
      .click();
    // Label and key: a label is suggested.
    expect(await page.locator("form input").count()).toBeLessThanOrEqual(3);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("alert").first().waitFor();
    await page.getByRole("button", { name: "Fill in the sandbox key" }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.waitForURL("**/settings/carriers");
    const account = page.getByRole("region", { name: /account$/ });
    await account.getByText("Connected", { exact: true }).waitFor();
    // The vendor refuses calls that show none of its numbers.
    await page.getByRole("link", { name: "Get a phone number", exact: true }).click();
    await page
      .getByRole("button", { name: /^Buy \+1/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Buy number" }).click();
    await page.getByText(/ is now yours\.$/).waitFor();
    await page.goto(new URL("/settings/carriers", page.url()).href);
    // The last step is done once there is a number, and the trunk is registered or answers.
    await expect.poll(() => account.getByRole("img", { name: "Done", exact: true }).count()).toBe(4);
    await page.getByRole("row").getByText("In use", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);

    const { token } = person;
    const talk = async (): Promise<void> => {
      const { callSid } = await ask("/v1/calls", { body: { phoneNumber: "+12025550100" }, token });
      await expect.poll(async () => (await ask(`/v1/calls/${callSid}`, { token })).status).toBe("in-progress");
      await ask(`/v1/calls/${callSid}/hang-up`, { method: "POST", token });
    };
    await talk();
    await page.goto(new URL("/settings/billing", page.url()).href);
    await page.getByRole("link", { name: "Compare with what your carriers bill" }).click();
    const readUntil = async (records: number): Promise<void> => {
      await expect
        .poll(
          async () => {
            // A record has no price at first.
            await page.getByRole("button", { name: "Read records now" }).click();
            return page.getByText("Calls with a record").locator("xpath=..").textContent();
          },
          { timeout: 60_000, interval: 500 },
        )
        .toContain(String(records));
    };
    await readUntil(1);
    await page.getByText(/^No differences in/).waitFor();
    expect(await findings(page)).toEqual([]);

    const [carrier] = await ask("/v1/carriers", { token });
    const dearer = { prefix: "1202555", effectiveFrom: "2000-01-01", perMinuteMicros: 990_000 };
    const rate = { ...dearer, connectionFeeMicros: 0, firstSeconds: 60, nextSeconds: 60 };
    await ask(`/v1/carriers/${carrier.id}/rates`, { method: "PUT", body: rate, token });
    await talk();
    await readUntil(2);
    const differing = page.getByRole("region", { name: "Differences" }).getByRole("row").filter({ hasText: "$0.99" });
    await differing.waitFor();
    expect(await findings(page)).toEqual([]);
    const choose = async (filter: string, option: string | number): Promise<void> => {
      await page.getByRole("combobox", { name: filter }).click();
      const options = page.getByRole("option");
      await (typeof option === "number" ? options.nth(option) : options.filter({ hasText: option })).click();
    };
    await choose("What differs", "No record");
    await page.getByText(/^None in/).waitFor();
    expect(await findings(page)).toEqual([]);
    await choose("What differs", "Cost differs");
    await differing.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^carrier-costs-\d{4}-\d{2}\.csv$/);
    const [, line = "", ...others] = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    expect(line.replaceAll('"', "").split(",").slice(1, 3)).toEqual(["Cost differs", "+12025550100"]);
    expect([line.includes('"0.99"'), others]).toEqual([true, []]);
    await choose("Month", 1);
    await page.getByText(/^None in/).waitFor();
    await choose("What differs", "All differences");
    await page.getByText(/^No differences in/).waitFor();
    await page.goto(new URL("/settings/carriers", page.url()).href);

    // The same as the account's own button: removing the carrier alone would leave what was made at the vendor.
    await page.getByRole("button", { name: /^Actions for/ }).click();
    expect(await page.getByRole("menuitem", { name: "Remove" }).count()).toBe(0);
    await page.getByRole("menuitem", { name: "Disconnect" }).click();
    await page
      .getByRole("dialog")
      .getByText(/is removed there/)
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No carriers yet").waitFor();
  },
);
