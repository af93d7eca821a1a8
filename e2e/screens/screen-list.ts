import type { Page } from "playwright-core";
import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";
import { demoPassword, type DemoWorld } from "./demo-content.ts";
import { notToBeCalled } from "./demo-people.ts";
import type { Screen } from "./screens-of-strangers.ts";
import { settingsScreens } from "./settings-screens.ts";

const chooseFirstAction = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("menu").waitFor();
};
/** Uses the navigation, which is behind a button on a narrow screen. */
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
/** Like the settings page, without leaving the call's page. */
const setCallMinutes = (page: Page, callMinutes: number): Promise<unknown> =>
  page.evaluate(
    async ([minutes, currentPassword]) => {
      const authorization = `Bearer ${localStorage.getItem("leadline.access-token")}`;
      const headers = { authorization, "content-type": "application/json" };
      const body = JSON.stringify({ callMinutes: minutes, currentPassword });
      const { ok, status } = await fetch("/api/v1/limits", { method: "PUT", headers, body });
      if (!ok) throw new Error(`The limit was not set: ${status}.`);
    },
    [callMinutes, demoPassword] as const,
  );
/** Past the greeting, and until the quality is measured. */
const talkedForMs = 4_000;

/** The number of a CRM lead and of one entered by hand. */
export const sharedNumber = "+12025550101";

export interface CrmScreens {
  /** The page for choosing the source of a CRM's leads. */
  sourcePath: string;
  runPath: string;
}

/** As a member of an organisation that is two weeks old. */
export const signedInScreens = ({
  leadId,
  organisationId,
  accountCarrierId,
  sourcePath,
  runPath,
}: Pick<DemoWorld, "leadId" | "organisationId" | "accountCarrierId"> & CrmScreens): Screen[] => [
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
  { name: "integrations-source", shows: "Which fields of a CRM become which of a lead", path: sourcePath },
  { name: "integrations-sync", shows: "One sync, with its counts", path: runPath },
  { name: "leads", shows: "Leads", path: "/leads" },
  {
    name: "leads-menu",
    shows: "What can be done with a lead",
    path: "/leads",
    act: chooseFirstAction(/^Actions for/),
  },
  { name: "leads-none", shows: "A search without a match", path: "/leads?search=nobody+by+that+name" },
  { name: "lead", shows: "A lead with its calls, notes and files", path: `/leads/${leadId}` },
  {
    name: "lead-timeline",
    shows: "A lead's timeline",
    path: `/leads/${leadId}?tab=timeline`,
    act: (page) =>
      page.getByRole("tab", { name: "Timeline" }).evaluate((tab) => tab.scrollIntoView({ block: "start" })),
  },
  { name: "leads-conflicts", shows: "Leads of two sources that share a number", path: "/leads/conflicts" },
  { name: "leads-new", shows: "New lead", path: "/leads/new" },
  { name: "leads-import", shows: "Import leads", path: "/leads/import" },
  {
    name: "leads-import-columns",
    shows: "Import leads: which column is what",
    path: "/leads/import",
    async act(page) {
      const file = { name: "boat-show.csv", mimeType: "text/csv", buffer: Buffer.from(csv + moreRows) };
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByRole("button", { name: /^Import \d/ }).waitFor();
    },
  },
  {
    name: "leads-import-duplicates",
    shows: "Import leads: what was left out, and the duplicates",
    path: "/leads/import",
    async act(page) {
      // Each picture needs a new number, so that there is something to import.
      const fresh = `+44161496${String(Date.now()).slice(-4)}`;
      const rows = ["Name;Phone", ...["Iris Cole", "Iris M. Cole"].map((name) => `${name};${fresh}`)];
      const known = ["Ada Byron;+44 20 7946 0110", "Nils Holm;"];
      const buffer = Buffer.from([...rows, ...known].join("\n"));
      await page.locator('input[type="file"]').setInputFiles({ name: "boat-show.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: /^Import \d/ }).click();
      await page.getByRole("region", { name: "Duplicates" }).waitFor();
    },
  },
  { name: "calls", shows: "The phone and the recent calls", path: "/calls" },
  {
    name: "calls-do-not-call",
    shows: "A number on the do-not-call list, on the pad",
    path: "/calls",
    async act(page) {
      await page.getByLabel("Phone number").pressSequentially(notToBeCalled);
      // The sidebar, hidden on a phone, also contains the list's name.
      await page
        .getByRole("main")
        .getByText(/do[- ]not[- ]call/i)
        .first()
        .waitFor();
    },
  },
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
    name: "call-transfer-teammates",
    shows: "In a call: teammates to transfer it to, and who is free",
    async act(page) {
      await goTo(page, "Calls");
      await page.getByRole("button", { name: "Transfer" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: / Free$/ })
        .first()
        .click();
    },
  },
  {
    name: "call-transfer",
    shows: "In a call: where to transfer it",
    act: (page) => page.getByRole("dialog").getByRole("combobox").pressSequentially("+12025550103"),
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
      // The field still has the text typed before.
      await field.clear();
      await field.pressSequentially("+12025550199");
      await page.getByRole("button", { name: "Talk first" }).click();
      await page.getByRole("region", { name: "Other line" }).getByText("On hold", { exact: true }).waitFor();
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
    name: "call-cut-off",
    shows: "In a call: it is about to end by a limit",
    async act(page) {
      // Closes any dialog left open by the previous picture.
      await page.keyboard.press("Escape");
      await goTo(page, "Calls");
      await hangUp(page);
      await setCallMinutes(page, 1);
      await dial(page, "+12025550187");
      await page.getByRole("status", { name: "This call is about to end" }).waitFor({ timeout: 60_000 });
    },
  },
  {
    name: "call-ended",
    shows: "A call has ended",
    async act(page) {
      await hangUp(page);
      await setCallMinutes(page, 240);
    },
  },
  {
    name: "calls-to-sort",
    shows: "A call whose number several leads have",
    async act(page) {
      await page.goto("/calls");
      await dial(page, sharedNumber);
      await untilAnswered(page);
      await hangUp(page);
      await page.goto("/calls");
      const tab = page.getByRole("tab", { name: /^To sort/ });
      const lists = page.getByRole("button", { name: "Recent calls" });
      await tab.or(lists).first().waitFor();
      if (await lists.isVisible()) await lists.click();
      await tab.click();
    },
  },
  ...settingsScreens({ organisationId, accountCarrierId }),
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
