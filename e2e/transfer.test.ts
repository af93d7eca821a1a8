import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, endedSentence, untilAnswered } from "../testing/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { inBothLooks, openCallLists } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const asking = (page: Page) => page.getByRole("dialog", { name: "Transfer call" });

inBothLooks((look) => {
  test("a rep transfers a call: to a busy line, which leaves it as it was, and then to a lead who takes it", async () => {
    const person = await newPerson();
    const lead = { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+12025550107" };
    await ask("/v1/leads", { body: lead, token: person.token });
    const context = await openProfile(browser, { ...look, bypassCSP: true });
    const page = await openAs(context, person);
    await dial(page, "+12025550100");
    await untilAnswered(page);

    await page.keyboard.press("t");
    const field = asking(page).getByRole("combobox", { name: "Phone number" });
    await field.pressSequentially("+12025550103");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    const busy = page.getByRole("alert").getByText("+1 202 555 0103 is busy. They’re still on your call.");
    await busy.waitFor();
    await asking(page).waitFor({ state: "detached" });
    await page.getByTestId("call-stage").getByText("In call").waitFor();
    await expect.poll(async () => loudness(await record(page, 300))).toBeGreaterThan(0.01);
    expect(await findings(page)).toEqual([]);

    await page.reload();
    await busy.waitFor();
    await page.getByRole("button", { name: "Transfer" }).click();
    await field.pressSequentially("Ada");
    await asking(page).getByRole("option", { name: "Ada Byron" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("+1 202 555 0107");
    await page.keyboard.press("Enter");
    expect(await endedSentence(page)).toBe("Transferred to Ada Byron (+1 202 555 0107).");

    await openCallLists(page);
    const row = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
    await row.getByText("transferred to Ada Byron").waitFor();
    await row.getByText("Transferred", { exact: true }).waitFor();
    await context.close();
  });

  test("a prepaid transfer is a second call, which the rep leaves once it is answered", async () => {
    const person = await newPerson();
    const { token } = person;
    await ask("/v1/billing/mode", { method: "PUT", token, body: { mode: "prepaid" } });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/settings/billing");
    for (const name of ["Top up", "$50", "Continue to payment", "Pay $50.00"])
      await page.getByRole("button", { name, exact: true }).click();
    await page.getByText("your balance includes it").waitFor();
    await page.goto("/calls");
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await page.keyboard.press("t");
    await asking(page).getByText("Both calls are charged until they hang up.").waitFor();
    const field = asking(page).getByRole("combobox", { name: "Phone number" });
    // It rings and isn’t answered.
    await field.pressSequentially("+12025550104");
    await page.keyboard.press("Enter");
    const other = page.getByRole("region", { name: "Other line" });
    await other.getByText(/^When \+1 202 555 0104 answers, they’re connected and you leave the call\./).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Hang up", exact: true }).click();
    await page.getByText("You took the call back. They’re still on your call.").waitFor();

    await page.keyboard.press("t");
    await field.pressSequentially("+12025550101");
    await page.keyboard.press("Enter");
    expect(await endedSentence(page)).toBe("Transferred to +1 202 555 0101.");
    const calls: { callSid: string; status: string }[] = await ask("/v1/calls", { token });
    const live = calls.filter(({ status }) => status === "in-progress");
    expect(live).toHaveLength(2);
    expect((await ask("/v1/billing/summary", { token })).heldMicros).toBeGreaterThan(0);
    await ask(`/v1/calls/${live[0]?.callSid}/hang-up`, { method: "POST", token });
  });
});
