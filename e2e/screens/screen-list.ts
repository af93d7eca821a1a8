import type { Page } from "playwright-core";
import { dial, hangUp, untilAnswered } from "../support/dial.ts";

export interface Screen {
  /** Its pictures' name. */
  name: string;
  /** What the index says of it. */
  shows: string;
  /** Without it, wherever the screen before has led: a call's sound does not outlive a reload. */
  path?: string;
  /** What a person does there before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
}

export const publicScreens: Screen[] = [
  { name: "landing", shows: "The landing page", path: "/" },
  { name: "login", shows: "Login", path: "/login" },
  { name: "register", shows: "Register", path: "/register" },
  {
    name: "register-refused",
    shows: "Register, with what is missing",
    path: "/register",
    act: (page) => page.locator("form button[type=submit]").click(),
  },
  { name: "forgot-password", shows: "Forgot your password", path: "/forgot-password" },
  {
    name: "reset-password",
    shows: "A link for a new password that no longer works",
    path: `/reset-password#${"a".repeat(43)}`,
  },
  { name: "invitation", shows: "An invitation whose link no longer works", path: `/invitation#${"a".repeat(43)}` },
  { name: "faq", shows: "Questions and answers", path: "/faq" },
  { name: "about", shows: "About Leadline", path: "/about" },
  { name: "privacy-policy", shows: "Privacy policy", path: "/privacy-policy" },
  { name: "terms-of-use", shows: "Terms of use", path: "/terms-of-use" },
  { name: "error", shows: "A sign-in that failed", path: "/error" },
  { name: "not-found", shows: "An unknown address", path: "/no-such-page" },
  { name: "health", shows: "Health", path: "/health" },
];

const chooseFirstAction = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("menu").waitFor();
};
/** By the navigation, which a narrow screen keeps behind a button. */
async function goTo(page: Page, label: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: label });
  if (!(await link.isVisible()))
    await page
      .getByRole("button", { name: /navigation|menu|sidebar/i })
      .first()
      .click();
  await link.click();
}
const csv = "First name;Last name;Mail;Phone;Stage\nAda;Byron;ada@byron.example;+44 20 7946 0110;Working\n";
const moreRows =
  "Nils;Holm;nils@holm.example;+44 161 496 0120;New\nLena;Roth;lena@roth.example;+44 131 496 0130;Qualified\n";
/** Past the greeting and into a measured quality. */
const talkedForMs = 4_000;

/** As somebody in an organisation two weeks old. */
export const signedInScreens = (leadId: string, organisationId: string): Screen[] => [
  { name: "dashboard", shows: "Dashboard: today", path: "/dashboard" },
  { name: "dashboard-week", shows: "Dashboard: seven days", path: "/dashboard?period=7-days" },
  { name: "integrations", shows: "Integrations, one synced", path: "/integrations" },
  {
    name: "integrations-menu",
    shows: "What can be done with an integration",
    path: "/integrations",
    act: chooseFirstAction(/^Actions for/),
  },
  { name: "integrations-new", shows: "New integration", path: "/integrations/new" },
  { name: "leads", shows: "Leads", path: "/leads" },
  {
    name: "leads-menu",
    shows: "What can be done with a lead",
    path: "/leads",
    act: chooseFirstAction(/^Actions for/),
  },
  { name: "leads-none", shows: "A search without a match", path: "/leads?search=nobody+by+that+name" },
  { name: "lead", shows: "A lead with its calls, notes and files", path: `/leads/${leadId}` },
  { name: "leads-new", shows: "New lead", path: "/leads/new" },
  { name: "leads-import", shows: "Import leads", path: "/leads/import" },
  {
    name: "leads-import-columns",
    shows: "Import leads: which column is what",
    path: "/leads/import",
    async act(page) {
      const file = { name: "boat-show.csv", mimeType: "text/csv", buffer: Buffer.from(csv + moreRows) };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText("boat-show.csv").first().waitFor();
    },
  },
  { name: "calls", shows: "The phone and the recent calls", path: "/calls" },
  {
    name: "calls-missed",
    shows: "The missed calls, with the messages their callers left",
    path: "/calls",
    act: async (page) => {
      const tab = page.getByRole("tab", { name: "Missed" });
      if (!(await tab.isVisible())) await page.getByRole("button", { name: "Recent calls" }).click();
      await tab.click();
    },
  },
  {
    name: "call-keypad",
    shows: "In a call: the keypad",
    path: "/calls",
    async act(page) {
      await dial(page, "+12025550187");
      await untilAnswered(page);
      await page.waitForTimeout(talkedForMs);
    },
  },
  {
    name: "call",
    shows: "In a call: whom one talks to, with notes",
    act: (page) => page.getByRole("button", { name: "Hide" }).click(),
  },
  {
    name: "call-bar",
    shows: "In a call, on another page",
    act: (page) => goTo(page, "Leads"),
  },
  {
    name: "call-transfer",
    shows: "In a call: where to transfer it",
    async act(page) {
      await goTo(page, "Calls");
      await page.getByRole("button", { name: "Transfer" }).click();
      await page.getByRole("dialog").getByRole("combobox").pressSequentially("+12025550103");
    },
  },
  {
    name: "call-not-transferred",
    shows: "In a call: a transfer that came to nothing",
    async act(page) {
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "call-consultation",
    shows: "In a call: talking with somebody first, while the other waits",
    async act(page) {
      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByRole("button", { name: "Transfer" }).click();
      const field = page.getByRole("dialog").getByRole("combobox");
      // What was typed before stands there still.
      await field.clear();
      await field.pressSequentially("+12025550199");
      await page.getByRole("button", { name: "Talk first" }).click();
      await page.getByRole("region", { name: "Other line" }).getByText("On hold").waitFor();
      await page.getByTestId("call-stage").getByText("In call").waitFor();
    },
  },
  {
    name: "call-conference",
    shows: "In a call: a conference of three",
    async act(page) {
      await page.getByRole("button", { name: "Merge calls" }).click();
      await page
        .getByRole("region", { name: "Conference" })
        .getByRole("button", { name: /^Mute / })
        .last()
        .click();
      await page
        .getByRole("button", { name: /^Unmute / })
        .first()
        .waitFor();
    },
  },
  {
    name: "call-bar-conference",
    shows: "The conference on another page",
    async act(page) {
      await goTo(page, "Leads");
      await page.getByRole("region", { name: "Conference" }).waitFor();
    },
  },
  {
    name: "call-conference-left",
    shows: "A conference that goes on with one",
    async act(page) {
      await goTo(page, "Calls");
      await page
        .getByRole("button", { name: /^Hang up on / })
        .last()
        .click();
      await page.getByRole("region", { name: "Conference" }).waitFor({ state: "detached" });
    },
  },
  {
    name: "call-ended",
    shows: "A call has ended",
    async act(page) {
      await goTo(page, "Calls");
      await hangUp(page);
    },
  },
  { name: "general", shows: "Settings: General", path: "/settings/general" },
  { name: "organisations", shows: "Settings: Organisations", path: "/settings/organisations" },
  { name: "organisations-new", shows: "New organisation", path: "/settings/organisations/new" },
  { name: "organisation", shows: "Edit an organisation", path: `/settings/organisations/${organisationId}` },
  { name: "members", shows: "Settings: Members", path: "/settings/members" },
  {
    name: "members-invite",
    shows: "Invite somebody",
    path: "/settings/members",
    act: async (page) => {
      await page
        .getByRole("button", { name: /^Invite/ })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "phone-numbers", shows: "Settings: Phone numbers", path: "/settings/phone-numbers" },
  { name: "phone-numbers-assign", shows: "Get a number", path: "/settings/phone-numbers/assign" },
  {
    name: "phone-numbers-buy",
    shows: "Buy a number",
    path: "/settings/phone-numbers/assign",
    act: async (page) => {
      await page.getByRole("button", { name: /^Buy / }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "carriers", shows: "Settings: Carriers", path: "/settings/carriers" },
  { name: "carriers-new", shows: "Connect a carrier", path: "/settings/carriers/new" },
  { name: "voicemail", shows: "Settings: Voicemail", path: "/settings/voicemail" },
  { name: "outcomes", shows: "Settings: Outcomes", path: "/settings/outcomes" },
  { name: "do-not-call", shows: "Settings: Do not call", path: "/settings/do-not-call" },
  { name: "billing", shows: "Settings: Billing", path: "/settings/billing" },
  { name: "limits", shows: "Settings: Limits", path: "/settings/limits" },
  { name: "account", shows: "Your account", path: "/settings/account" },
  { name: "notifications", shows: "Your notifications", path: "/settings/notifications" },
  { name: "sessions", shows: "Your sessions", path: "/settings/sessions" },
  { name: "upgrade", shows: "Upgrade", path: "/settings/upgrade" },
  {
    name: "command-palette",
    shows: "The command palette (Ctrl/Cmd+K)",
    path: "/dashboard",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to a screen, find a lead or call a number" }).waitFor();
    },
  },
];

/** As somebody who has just registered. */
export const newcomerScreens: Screen[] = [
  { name: "newcomer-dashboard", shows: "A newcomer's dashboard", path: "/dashboard" },
  { name: "newcomer-leads", shows: "Leads before the first", path: "/leads" },
  { name: "newcomer-calls", shows: "The phone before the first call", path: "/calls" },
  { name: "newcomer-integrations", shows: "Integrations before the first", path: "/integrations" },
  { name: "newcomer-phone-numbers", shows: "Phone numbers before the first", path: "/settings/phone-numbers" },
];
