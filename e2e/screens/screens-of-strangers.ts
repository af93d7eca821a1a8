import type { Page } from "playwright-core";

export interface Screen {
  /** The picture's name. */
  name: string;
  /** Its description in the index. */
  shows: string;
  /** By default the previous screen's page, because a call's audio doesn't survive a reload. */
  path?: string;
  /** Actions before the picture is taken. */
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

/** On a server with registration by invitation only. */
export const closedScreens: Screen[] = [
  { name: "register-by-invitation", shows: "Register, by invitation only", path: "/register" },
];

/** As a user who has just registered. */
export const newcomerScreens: Screen[] = [
  { name: "newcomer-dashboard", shows: "A newcomer's dashboard", path: "/dashboard" },
  { name: "newcomer-leads", shows: "Leads before the first", path: "/leads" },
  { name: "newcomer-calls", shows: "The phone before the first call", path: "/calls" },
  { name: "newcomer-integrations", shows: "Integrations before the first", path: "/integrations" },
  { name: "newcomer-phone-numbers", shows: "Phone numbers before the first", path: "/settings/phone-numbers" },
];
