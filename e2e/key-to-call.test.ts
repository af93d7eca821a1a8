import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { loudness, pitchOf, record } from "./support/ears.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { writeTone } from "./support/tone.ts";

const spokenHz = 440;
/** Answers at once and returns what it hears. */
const echo = "+12025550101";
const maxInputs = 3;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: spokenHz }) } });
});
afterAll(() => browser.close());

test.each([0, 1])(
  "from an API key to a number and a call with audio both ways, with at most three inputs: vendor %i",
  async (index) => {
    const person = await newPerson();
    const { name, sandboxKey } = (await ask("/v1/carrier-accounts/kinds", { token: person.token }))[index];
    const page = await openAs(await openProfile(browser), person, "/settings/carriers/new");
    const startedAt = performance.now();
    await page.getByRole("combobox", { name: "Carrier" }).click();
    await page.getByRole("option", { name: `${name} (by API key)` }).click();

    let inputs = 0;
    // The label has a default, so only the key's parts must be entered.
    const secret = page.locator("form").locator("input");
    const values = Object.values<string>(sandboxKey);
    for (let at = 0; at < (await secret.count()); at += 1) {
      const field = secret.nth(at);
      if ((await field.inputValue()) !== "") continue;
      await field.fill(values[inputs] ?? "");
      inputs += 1;
    }
    expect(inputs).toBe(values.length);
    expect(inputs).toBeLessThanOrEqual(maxInputs);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page
      .getByRole("region", { name: /account$/ })
      .getByText("Connected", { exact: true })
      .waitFor();
    // The vendor refuses calls that show none of its numbers.
    await page.getByRole("link", { name: "Get a phone number", exact: true }).click();
    await page
      .getByRole("button", { name: /^Buy \+1/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Buy number" }).click();
    await page.getByText(/ is now yours\.$/).waitFor();

    await page.goto("/calls");
    await dial(page, echo);
    await untilAnswered(page);
    // The callee echoes what it heard: the microphone's own frequency.
    await expect.poll(async () => Math.abs(pitchOf(await record(page, 3_000)) - spokenHz)).toBeLessThanOrEqual(10);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${name}: from the API key to a number and a call heard at both ends in ${seconds.toFixed(1)} s, ${inputs} inputs`,
    );
    expect(loudness(await record(page, 1_000))).toBeGreaterThan(0.01);

    const [call] = await ask("/v1/calls", { token: person.token });
    const [carrier] = await ask("/v1/carriers", { token: person.token });
    const [{ number }] = await ask("/v1/phone-numbers", { token: person.token });
    const placed = { phoneNumber: echo, status: "in-progress", carrier: carrier.kind, shownNumber: number };
    expect(call).toMatchObject(placed);
    await hangUp(page);
  },
);
