import type { DemoWorld } from "./demo-content.ts";
import type { Screen } from "./screens-of-strangers.ts";

export const settingsScreens = ({
  organisationId,
  accountCarrierId,
}: Pick<DemoWorld, "organisationId" | "accountCarrierId">): Screen[] => [
  { name: "general", shows: "Settings: General", path: "/settings/general" },
  { name: "organisations", shows: "Settings: Organisations", path: "/settings/organisations" },
  { name: "organisations-new", shows: "New organisation", path: "/settings/organisations/new" },
  { name: "organisation", shows: "Edit an organisation", path: `/settings/organisations/${organisationId}` },
  { name: "members", shows: "Settings: Members", path: "/settings/members" },
  {
    name: "members-invite",
    shows: "Invite someone",
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
  {
    name: "carriers-trace",
    shows: "SIP trace of a carrier",
    path: "/settings/carriers",
    async act(page) {
      await page.getByRole("button", { name: /^Actions for Office PBX/ }).click();
      await page.getByRole("menuitem", { name: "SIP trace" }).click();
      await page.waitForURL("**/trace");
    },
  },
  {
    name: "carriers-test-call",
    shows: "Test call through a carrier",
    path: "/settings/carriers",
    async act(page) {
      await page.getByRole("button", { name: /^Actions for Office PBX/ }).click();
      await page.getByRole("menuitem", { name: "Test call" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "carriers-rates",
    shows: "What calls through a carrier cost",
    path: `/settings/carriers/${accountCarrierId}/rates`,
  },
  { name: "carriers-new", shows: "Connect a carrier", path: "/settings/carriers/new" },
  {
    name: "carriers-new-by-key",
    shows: "Connect a carrier by its API key",
    path: "/settings/carriers/new",
    async act(page) {
      await page.getByRole("combobox", { name: "Carrier" }).click();
      await page
        .getByRole("option", { name: /by API key/ })
        .first()
        .click();
    },
  },
  { name: "voicemail", shows: "Settings: Voicemail", path: "/settings/voicemail" },
  { name: "outcomes", shows: "Settings: Outcomes", path: "/settings/outcomes" },
  { name: "do-not-call", shows: "Settings: Do not call", path: "/settings/do-not-call" },
  { name: "billing", shows: "Settings: Billing", path: "/settings/billing" },
  {
    name: "billing-top-up",
    shows: "Top up the balance",
    path: "/settings/billing",
    async act(page) {
      await page
        .getByRole("button", { name: /^Top up/ })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "billing-carrier-costs", shows: "What carriers bill, compared", path: "/settings/billing/carrier-costs" },
  { name: "limits", shows: "Settings: Limits", path: "/settings/limits" },
  {
    name: "limits-member",
    shows: "A member's own limits",
    path: "/settings/limits",
    async act(page) {
      await page
        .getByRole("button", { name: /^(Set|Change)/ })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "audit-log", shows: "Settings: Audit log", path: "/settings/audit-log" },
  { name: "account", shows: "Your account", path: "/settings/account" },
  { name: "notifications", shows: "Your notifications", path: "/settings/notifications" },
  { name: "sessions", shows: "Your sessions", path: "/settings/sessions" },
  { name: "upgrade", shows: "Upgrade", path: "/settings/upgrade" },
];
