import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, endedSentence, hangUp, untilAnswered } from "./support/dial.ts";
import { loudness, record } from "./support/ears.ts";
import { linkMailedTo } from "./support/linked-mail.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person, signUp } from "./support/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Somebody who has taken an invitation to that person's organisation. */
async function newTeammate(owner: Person): Promise<Person> {
  const teammate = await signUp(inject("appAddress"));
  await ask("/v1/users/me", { token: teammate.token }).then(({ id }) =>
    ask(`/v1/users/${id}`, { method: "PUT", token: teammate.token, body: { firstName: "Ada", lastName: "Byron" } }),
  );
  await ask("/v1/invitations", { token: owner.token, body: { email: teammate.email, role: "member" } });
  const token = (await linkMailedTo(teammate.email, "/invitation")).split("#")[1];
  await ask("/v1/invitations/accept", { token: teammate.token, body: { token } });
  return teammate;
}

const transferDialog = (page: Page) => page.getByRole("dialog", { name: "Transfer call" });
const teammateRow = (page: Page) => transferDialog(page).getByRole("button", { name: /^Ada Byron/ });
const incoming = (page: Page) => page.getByRole("region", { name: "Incoming call" });
const isHeard = async (page: Page) => loudness(await record(page, 500).catch(() => new Float32Array(1))) > 0.01;

inBothLooks((look) => {
  test("a call is transferred to a teammate: declined, it comes back; answered, they talk and the call is theirs", async () => {
    const rep = await newPerson();
    const teammate = await newTeammate(rep);
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), rep);
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await page.keyboard.press("t");
    await teammateRow(page).getByText("Away").waitFor();
    expect(await teammateRow(page).isDisabled()).toBe(true);

    const theirs = await openAs(await openProfile(browser, look), teammate, "/dashboard");
    await teammateRow(page).getByText("Free").waitFor();
    expect(await findings(page)).toEqual([]);
    await teammateRow(page).click();
    await incoming(theirs).getByText("Transferred to you by Robin Sounder").waitFor();
    await page.getByText("Ringing Ada Byron…").first().waitFor();
    await incoming(theirs).getByRole("button", { name: "Decline" }).click();
    await page.getByText("Ada Byron declined the call. They are still with you.").first().waitFor();
    await expect.poll(() => isHeard(page)).toBe(true);

    await page.keyboard.press("t");
    await teammateRow(page).click();
    await incoming(theirs).getByRole("button", { name: "Answer" }).click();
    expect(await endedSentence(page)).toBe("Transferred to Ada Byron.");
    await expect.poll(() => isHeard(theirs)).toBe(true);
    const [call] = await ask("/v1/calls", { token: rep.token });
    expect(call).toMatchObject({ status: "in-progress", userName: "Ada Byron", held: false });
    await theirs.getByRole("region", { name: "Current call" }).getByRole("button", { name: "Hang up" }).click();
    expect(await endedSentence(theirs)).toBe("You hung up.");
    // Whoever sent it can call again.
    await page.getByRole("button", { name: "Dismiss" }).click();
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await hangUp(page);
  });
});
