import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { refusedOnce } from "./support/cut-changes.ts";
import { expectNoSettingsToChange } from "./support/settings-of-members.ts";
import { linkMailedTo } from "./support/linked-mail.ts";
import { inBothLooks, type Look } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openProfile } from "./support/people.ts";
import { askAt, newCredentials, openAs, type Person, signUp } from "../testing/sign-up.ts";

const address = inject("appAddress");
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const newContext = (look?: Look): Promise<BrowserContext> => openProfile(browser, look);

/** Waits for the login's own form, because the previous page may have an "Email" field too. */
async function login(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole("button", { name: "Login" }).waitFor();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Presses Enter once this option is marked among the matches. */
async function pressEnterOn(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("option", { name, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

inBothLooks((look) => {
  test("a user who forgot their password sets a new one with the mailed link and logs in with it", async () => {
    const person = await signUp(address);
    const page = await (await newContext(look)).newPage();
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot your password" }).click();
    await page.getByRole("heading", { name: "Forgot your password" }).waitFor();
    await page.getByLabel("Email").fill(person.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("we’ve sent it a link to set a new password").waitFor();

    await page.goto("/reset-password");
    expect(await page.getByRole("heading").first().textContent()).toBe("This link no longer works");
    // Only the hash changes, so the page isn't loaded again.
    const link = await linkMailedTo(person.email, "/reset-password");
    await page.goto(link);
    await page.getByLabel("New password").fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("A strong password is required").waitFor();
    const password = `a new phrase ${person.email}`;
    await page.getByLabel("New password").fill(password);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("You’ve been logged out everywhere.").waitFor();
    await page.reload();
    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    expect(await page.getByLabel("New password").count()).toBe(0);
    await page.getByRole("link", { name: "Request a new link" }).click();
    await page.getByRole("link", { name: "Back to the login" }).click();

    await login(page, { email: person.email, password });
    await page.waitForURL("**/dashboard");
  });

  test("a new user follows a mailed invitation through registering and logging in, and is then removed", async () => {
    const owner = await signUp(address, { organisation: "Harbour" });
    const office = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), owner, "/settings/members");
    const { email, password } = newCredentials();
    await office.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = office.getByRole("dialog", { name: "Invite someone to Harbour" });
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Send invitation" }).click();
    await office.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => office.evaluate(() => navigator.clipboard.readText());
    const sent = office.getByRole("dialog", { name: "Invitation sent" });
    await sent.getByRole("button", { name: "Copy invitation link" }).click();
    await sent.getByRole("button", { name: "Link copied" }).waitFor();
    expect(await findings(office)).toEqual([]);
    const mailed = await linkMailedTo(email, "/invitation");
    expect(await copied()).toBe(mailed);
    await sent.getByRole("button", { name: "Done" }).click();
    const invitations = office.getByRole("region", { name: "Invitations" });
    await invitations.getByRole("cell", { name: email, exact: true }).waitFor();
    const sendAgain = async () => {
      await invitations.getByRole("button", { name: `Actions for the invitation for ${email}` }).click();
      await office.getByRole("menuitem", { name: "Send again" }).click();
    };
    await refusedOnce(office, sendAgain, invitations);
    await office.getByText(`New invitation sent to ${email}.`).waitFor();

    await invitations.getByRole("button", { name: `Actions for the invitation for ${email}` }).click();
    await office.getByRole("menuitem", { name: "Copy invitation link" }).click();
    // The previous copy's toast may still be there.
    await expect.poll(copied).not.toBe(mailed);
    const link = await copied();

    // Another user is signed in there, and logging out returns to the invitation.
    const page = await openAs(await newContext(look), await signUp(address), "/health");
    await page.goto(link);
    await page.getByRole("button", { name: "Join Harbour" }).waitFor();
    await page.getByRole("link", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Create an account" }).waitFor();
    await page.getByRole("heading", { name: "Join Harbour" }).waitFor();
    await page.getByText("Robin Sounder invites you to Harbour as a member.").waitFor();
    await page.getByRole("link", { name: "Create an account" }).click();
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    await page.getByLabel("First name").fill("Kim");
    await page.getByLabel("Last name").fill("Larsen");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    // The third screen is the dial pad: link, account, call.
    await page.waitForURL("**/calls");
    await page.getByRole("button", { name: "5", exact: true }).waitFor();
    await page.getByRole("button", { name: "Harbour" }).waitFor();
    await expectNoSettingsToChange(page);

    await office.reload();
    const makeAdmin = async () => {
      await office.getByRole("button", { name: "Actions for Kim Larsen" }).click();
      await office.getByRole("menuitem", { name: "Make admin" }).click();
    };
    const below = office.getByRole("row").filter({ hasText: email }).locator("xpath=following-sibling::tr[1]");
    await refusedOnce(office, makeAdmin, below);
    const question = office.getByRole("dialog", { name: "Confirm it’s you" });
    await question.getByText("Enter your password to make someone an admin.").waitFor();
    await question.getByLabel("Your password").fill(owner.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await office.getByText("Kim Larsen is now an admin.").waitFor();
    await page.goto("/settings/members");
    await page.getByRole("button", { name: "Invite", exact: true }).waitFor();

    await office.getByRole("button", { name: "Actions for Kim Larsen" }).click();
    await office.getByRole("menuitem", { name: "Remove…" }).click();
    await office.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await office.getByText("Kim Larsen is no longer in Harbour.").waitFor();
    const told = page.getByRole("dialog", { name: "You’re no longer in Harbour" });
    await told.getByText("You were removed from Harbour, or it was deleted.").waitFor();
    await told.getByRole("button", { name: "Close" }).click();
    await page.getByText("You need to be part of an organisation to use this feature.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/members");
    await page.getByRole("link", { name: "Create organisation" }).waitFor();
  });
});

test("a user who logs out to accept an invitation as someone else returns to it and joins as that person", async () => {
  const owner = await signUp(address, { organisation: "Pier" });
  const invited = await signUp(address);
  await askAt(address, "/v1/invitations", { body: { email: invited.email, role: "member" }, token: owner.token });
  const page = await openAs(await newContext(), await signUp(address, { organisation: "Elsewhere" }), "/dashboard");
  await page.goto(await linkMailedTo(invited.email, "/invitation"));
  await page.getByText(`the invitation went to ${invited.email}.`).waitFor();
  await page.getByRole("link", { name: "Log out" }).click();
  await page.waitForURL("**/invitation");
  await page.getByText("Create an account or log in to join.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Login" }).click();
  await page.getByText("Login to join Pier").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(invited.email);
  await login(page, invited);
  await page.waitForURL("**/calls");
  await page.getByRole("button", { name: "Pier" }).waitFor();
  const { activeOrganisation } = await askAt(address, "/v1/users/me", { token: invited.token });
  expect(activeOrganisation).toMatchObject({ name: "Pier" });
});

inBothLooks((look) => {
  test("an owner changes the organisation's settings, and the last owner can't leave it", async () => {
    const owner: Person = await signUp(address, { organisation: "Quay" });
    const page = await openAs(await newContext(look), owner, "/settings/general");
    await page.getByLabel("Name").fill("Quay West");
    await page.getByLabel("Time zone").click();
    await page.getByPlaceholder("Search time zones").fill("berlin");
    await pressEnterOn(page, /Berlin/);
    const opening = page.getByRole("group", { name: "Opening hours" });
    const calling = page.getByRole("group", { name: "Calling hours" });
    await opening.getByLabel("Saturday", { exact: true }).check();
    await opening.getByLabel("Saturday to").fill("08:00");
    await calling.getByLabel("Monday", { exact: true }).check();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Closing time must be after opening time.").waitFor();
    const wrong = page.locator("[aria-invalid=true]");
    expect(await wrong.evaluateAll((all) => all.map((each) => each.ariaLabel))).toEqual([
      "Saturday from",
      "Saturday to",
    ]);
    await opening.getByLabel("Saturday to").fill("12:30");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Quay West saved.").waitFor();
    await page.getByRole("button", { name: "Quay West" }).waitFor();
    await page.reload();
    await page.getByText("Europe/Berlin").waitFor();
    expect(await opening.getByLabel("Saturday to").inputValue()).toBe("12:30");
    expect(await calling.getByLabel("Monday from").inputValue()).toBe("09:00");

    await page.goto("/settings/organisations");
    await page.getByRole("button", { name: "Actions for Quay West" }).click();
    await page.getByRole("menuitem", { name: "Leave…" }).click();
    const dialog = page.getByRole("dialog", { name: "Quay West needs an owner" });
    await dialog.getByText("Invite someone and make them an owner before you leave.").waitFor();
    expect(await dialog.getByRole("button", { name: "Leave" }).count()).toBe(0);
    await dialog.getByRole("link", { name: "Go to members" }).click();
    await page.waitForURL("**/settings/members");
  });

  test("a user changes their name and password, and ends their sessions on other devices", async () => {
    const person = await signUp(address, { organisation: "Pier" });
    const page = await openAs(await newContext(look), person, "/settings/account");
    await page.getByLabel("First name").fill("Robyn");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Name saved.").waitFor();
    await page.getByRole("button", { name: "RS, your account" }).click();
    await page.getByText("Robyn Sounder").waitFor();
    await page.keyboard.press("Escape");

    const elsewhere = await (await newContext(look)).newPage();
    await elsewhere.goto("/login");
    await login(elsewhere, person);
    await elsewhere.waitForURL("**/dashboard");
    await page.getByRole("link", { name: "Sessions" }).first().click();
    await page.getByRole("button", { name: "End the session of Chrome on Linux" }).waitFor();
    await page.getByRole("button", { name: "End all others" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End sessions" }).click();
    await page.getByText("You’re only logged in here.").waitFor();
    await elsewhere.goto("/calls", { waitUntil: "commit" });
    await elsewhere.waitForURL("**/login");

    await page.goto("/settings/account");
    await page.getByLabel("Current password").fill("not that one");
    await page.getByLabel("New password").fill(`another phrase ${person.email}`);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Incorrect current password.").waitFor();
    await page.getByLabel("Current password").fill(person.password);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();
    expect(await page.getByLabel("Current password").inputValue()).toBe("");
  });
});

test("a user's picture is shown in the header, and can be removed", async () => {
  const page = await openAs(await newContext(), await signUp(address), "/settings/account");
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await page.getByLabel("Your picture").setInputFiles({ name: "me.png", mimeType: "image/png", buffer: picture });
  const shown = page.getByRole("button", { name: /your account$/ }).locator("img");
  await expect
    .poll(() =>
      shown.evaluate((image: HTMLImageElement) => image.naturalWidth, null, { timeout: 1_000 }).catch(() => 0),
    )
    .toBe(1);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => shown.count()).toBe(0);

  // Over the size limit, so it isn't even sent.
  const sent: string[] = [];
  page.on("request", (request) => sent.push(new URL(request.url()).pathname));
  const folder = mkdtempSync(join(tmpdir(), "leadline-huge-"));
  const huge = join(folder, "huge.png");
  writeFileSync(huge, "");
  truncateSync(huge, 11 * 2 ** 20);
  await page.getByLabel("Your picture").setInputFiles(huge);
  await page.getByText("Choose a picture under 2 MB.").waitFor();
  expect(sent).not.toContain("/api/v1/files");
  rmSync(folder, { recursive: true });
});
