import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { connectCrm } from "./support/connect-crm.ts";
import { inBothLooks } from "./support/looks.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const number = "+12025550101";

inBothLooks((look) => {
  test("a CRM lead and a manual one with the same number are merged, separated by Undo, and kept separate", async () => {
    const person = await newPerson();
    const { token } = person;
    const [crm] = await ask("/v1/integrations/services", { token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/leads/conflicts");
    await page.getByText("No conflicts").waitFor();
    await connectCrm(page, { service: crm.name, label: "Harbour sales" });
    const [known] = await ask(`/v1/leads?search=${encodeURIComponent(number)}`, { token });
    const name = `${known.firstName} ${known.lastName}`;
    const body = { firstName: "Robin", lastName: "Other", email: "robin@other.example", phone: number };
    const other = await ask("/v1/leads", { body, token });
    await ask(`/v1/leads/${other.id}/notes`, { body: { text: "Asked for a quote." }, token });

    await page.goto("/leads");
    await page.getByRole("button", { name: "Import, export and conflicts" }).click();
    await page.getByRole("menuitem", { name: "Conflicts" }).click();
    await page.getByText("1 conflict to sort out.").waitFor();
    await page.getByText("2 leads share this number").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("radio", { name: `Keep ${name}, Harbour sales` }).check();
    await page.getByRole("button", { name: `Merge into ${name}` }).click();
    await page.getByText("No conflicts").waitFor();
    expect(await ask(`/v1/leads/${known.id}/notes`, { token })).toMatchObject([{ text: "Asked for a quote." }]);
    expect(await findings(page)).toEqual([]);

    await page.reload();
    await page.getByRole("button", { name: `Undo the merge into ${name}` }).click();
    await page.getByText("2 leads share this number").waitFor();
    expect(await ask(`/v1/leads/${other.id}/notes`, { token })).toHaveLength(1);
    await page.getByRole("button", { name: "Keep separate, +1 202 555 0101" }).click();
    await page.getByText("No conflicts").waitFor();
    await page.reload();
    await page.getByText("No conflicts").waitFor();
  });
});
