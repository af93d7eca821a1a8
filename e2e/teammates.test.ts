import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { dial, endedSentence, hangUp, untilAnswered } from "../testing/dial.ts";
import { loudness, record, strengthAt } from "./support/ears.ts";
import { linkMailedTo } from "./support/linked-mail.ts";
import { inBothLooks } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person, signUp } from "../testing/sign-up.ts";
import { writeTone } from "./support/tone.ts";

const [repHz, mateHz] = [440, 660];
let browser: Browser;
/** With a different tone as the microphone. */
let mates: Browser;
beforeAll(async () => {
  browser = await openBrowser({ microphone: { file: writeTone({ hz: repHz }) } });
  mates = await openBrowser({ microphone: { file: writeTone({ hz: mateHz }) } });
});
afterAll(() => Promise.all([browser.close(), mates.close()]));

/** A person who has accepted an invitation to the owner's organisation. */
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
const sendBy = (page: Page, button: "Transfer" | "Talk first") =>
  transferDialog(page).getByRole("button", { name: button, exact: true }).click();
const otherLine = (page: Page) => page.getByRole("region", { name: "Other line" });
const incoming = (page: Page) => page.getByRole("region", { name: "Incoming call" });
const isHeard = async (page: Page) => loudness(await record(page, 500).catch(() => new Float32Array(1))) > 0.01;
/** Which of the two tones are heard on that page. */
const heardBy = async (page: Page) => {
  const sound = await record(page, 1_000).catch(() => new Float32Array(1));
  return [repHz, mateHz].filter((hz) => strengthAt(sound, hz) > 0.02);
};

inBothLooks((look) => {
  test("a transferred call comes back if the teammate declines; if they answer, they talk and own the call", async () => {
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
    await sendBy(page, "Transfer");
    await incoming(theirs).getByText("Transferred to you by Robin Sounder").waitFor();
    await page.getByText("Ringing Ada Byron…").first().waitFor();
    await incoming(theirs).getByRole("button", { name: "Decline" }).click();
    await page.getByText("Ada Byron declined the call. They’re still on your call.").first().waitFor();
    await expect.poll(() => isHeard(page)).toBe(true);

    await page.keyboard.press("t");
    await teammateRow(page).click();
    await sendBy(page, "Transfer");
    await incoming(theirs).getByRole("button", { name: "Answer" }).click();
    expect(await endedSentence(page)).toBe("Transferred to Ada Byron.");
    await expect.poll(() => isHeard(theirs)).toBe(true);
    const [call] = await ask("/v1/calls", { token: rep.token });
    expect(call).toMatchObject({ status: "in-progress", userName: "Ada Byron", held: false });
    await theirs.getByRole("region", { name: "Current call" }).getByRole("button", { name: "Hang up" }).click();
    expect(await endedSentence(theirs)).toBe("You hung up.");
    // The sender can call again.
    await page.getByRole("button", { name: "Dismiss" }).click();
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await hangUp(page);
  });

  test("a teammate who is added is heard by all three, and a teammate talked with first takes over the call", async () => {
    const rep = await newPerson();
    const teammate = await newTeammate(rep);
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), rep);
    const theirs = await openAs(await openProfile(mates, { ...look, bypassCSP: true }), teammate, "/dashboard");
    // The callee echoes what the other two say.
    await dial(page, "+12025550101");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Hide" }).click();
    const isAlone = async () => {
      await page.getByTestId("call-stage").getByText("In call").waitFor();
      await otherLine(page).waitFor({ state: "detached" });
    };

    await page.keyboard.press("t");
    await teammateRow(page).click();
    await sendBy(page, "Talk first");
    await transferDialog(page).waitFor({ state: "detached" });
    await incoming(theirs).getByText("Robin Sounder, with +1 202 555 0101 on the line").waitFor();
    expect(await findings(theirs)).toEqual([]);
    await incoming(theirs).getByRole("button", { name: "Decline" }).click();
    await page.getByText("Ada Byron: They declined the call. You’re talking to +1 202 555 0101.").waitFor();
    await isAlone();

    await page.getByRole("button", { name: "Add", exact: true }).click();
    const adding = page.getByRole("dialog", { name: "Add someone to the call" });
    await adding.getByRole("button", { name: /^Ada Byron/ }).click();
    await adding.getByRole("button", { name: "Call", exact: true }).click();
    await incoming(theirs).getByRole("button", { name: "Answer" }).click();
    await page.getByRole("button", { name: "Merge calls" }).click();
    await page.getByTestId("call-stage").getByText("In conference").waitFor();
    expect(await findings(page)).toEqual([]);
    // A voice and its echo can cancel each other out, so test one at a time.
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await press("Mute +1 202 555 0101");
    await expect.poll(() => heardBy(page)).toEqual([mateHz]);
    await expect.poll(() => heardBy(theirs)).toEqual([repHz]);
    await press("Unmute +1 202 555 0101");
    await press("Mute");
    await expect.poll(() => heardBy(theirs)).toEqual([mateHz]);
    await press("Unmute");
    await theirs.getByRole("region", { name: "Current call" }).getByRole("button", { name: "Hang up" }).click();
    expect(await endedSentence(theirs)).toBe("You hung up.");
    await theirs.getByRole("button", { name: "Dismiss" }).click();
    await isAlone();

    await page.keyboard.press("t");
    await teammateRow(page).click();
    await sendBy(page, "Talk first");
    await incoming(theirs).getByRole("button", { name: "Answer" }).click();
    await expect.poll(() => heardBy(theirs)).toEqual([repHz]);
    await expect.poll(() => heardBy(page)).toEqual([mateHz]);
    await page.getByRole("button", { name: "Complete transfer" }).click();
    expect(await endedSentence(page)).toBe("Transferred to Ada Byron.");
    await expect.poll(() => heardBy(theirs)).toEqual([mateHz]);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await dial(page, "+12025550100");
    await untilAnswered(page);
    await hangUp(page);
    await theirs.getByRole("region", { name: "Current call" }).getByRole("button", { name: "Hang up" }).click();
  });
});
