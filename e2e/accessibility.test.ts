import { randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { specifiedCrm } from "../packages/contract/src/integrations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { findings } from "./support/axe-findings.ts";
import { findingsInFilledScreens } from "./support/filled-screens.ts";
import { moveTo } from "./support/move-to.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "../testing/sign-up.ts";

let browser: Browser;
let person: Person;
let lead: { id: string; name: string };
beforeAll(async () => {
  [browser, person] = await Promise.all([openBrowser(), newPerson()]);
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+1 202 555 0187" };
  const { token } = person;
  lead = { id: (await ask("/v1/leads", { body, token })).id, name: "Bob Stone" };
  const settings = { host: "192.0.2.7", authentication: "digest", user: randomUUID(), password: "unused" };
  const trunk = { kind: "sip-trunk", label: "Quay Telecom", settings, pricePerMinute: 13_500 };
  const { id } = await ask("/v1/carriers", { body: trunk, token });
  // Calls go through the sandbox.
  await ask(`/v1/carriers/${id}`, { method: "PUT", body: { inUse: false }, token });
  settingsScreens.push(`/settings/carriers/${id}/rates`, `/settings/carriers/${id}`);
});
afterAll(() => browser.close());

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 375, height: 740 } };
interface Look {
  colorScheme: "light" | "dark";
  size: keyof typeof sizes;
}
/** All four, each one change from the last: the dark ones repeat what the light ones showed. */
const looks: readonly Look[] = [
  { colorScheme: "light", size: "wide" },
  { colorScheme: "light", size: "narrow" },
  { colorScheme: "dark", size: "narrow" },
  { colorScheme: "dark", size: "wide" },
];
const publicScreens = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  `/reset-password#${"a".repeat(43)}`,
  `/invitation#${"a".repeat(43)}`,
  "/error",
  "/no-such-page",
  "/health",
  "/faq",
  "/about",
  "/privacy-policy",
  "/terms-of-use",
];
const workScreens = [
  "/dashboard",
  "/integrations",
  "/integrations/new",
  "/leads",
  "/leads/new",
  "/leads/import",
  "/leads/conflicts",
  "/calls",
];
const settingsScreens = [
  "/settings/organisations",
  "/settings/organisations/new",
  "/settings/general",
  "/settings/members",
  "/settings/outcomes",
  "/settings/do-not-call",
  "/settings/billing",
  "/settings/billing/carrier-costs",
  "/settings/limits",
  "/settings/audit-log",
  "/settings/account",
  "/settings/sessions",
  "/settings/notifications",
  "/settings/upgrade",
  "/settings/phone-numbers",
  "/settings/phone-numbers/assign",
  "/settings/carriers",
  "/settings/carriers/new",
  "/settings/voicemail",
];

/** axe's findings, by screen and look. */
type Found = Record<string, string[]>;

async function lookAt(page: Page, shows: string, found: Found): Promise<void> {
  for (const { colorScheme, size } of looks) {
    await page.setViewportSize(sizes[size]);
    // Without animations, which the checks would have to wait for.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The colours change with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const list = await findings(page, { coloursOnly: colorScheme === "dark" });
    if (list.length > 0) found[`${shows} (${colorScheme}, ${size})`] = list;
  }
}

async function openInside(look: Look = { colorScheme: "light", size: "wide" }): Promise<Page> {
  const { colorScheme, size } = look;
  const options = { colorScheme, viewport: sizes[size], reducedMotion: "reduce", bypassCSP: true } as const;
  const page = await openAs(await openProfile(browser, options), person);
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  return page;
}

test("every public screen passes axe, light and dark, wide and narrow", async () => {
  const found: Found = {};
  const page = await (await openProfile(browser, { bypassCSP: true })).newPage();
  await page.goto("/terms-of-use");
  for (const path of publicScreens) {
    await moveTo(page, path);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await lookAt(page, path, found);
  }
  expect(found).toEqual({});
});

test.each([
  ["every signed-in screen outside Settings", workScreens],
  ["every screen under Settings", settingsScreens],
])("%s passes axe, light and dark, wide and narrow", async (_, paths) => {
  const found: Found = {};
  const page = await openInside();
  for (const path of paths) {
    await moveTo(page, path);
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    await expect.poll(() => page.locator("[data-skeleton], .animate-pulse, .animate-breathe").count()).toBe(0);
    await lookAt(page, path, found);
  }
  expect(found).toEqual({});
});

/** Pending requests and pages that redirect never finish. */
function holdStill(): void {
  const { setTimeout: later } = window;
  AbortSignal.timeout = () => new AbortController().signal;
  Object.assign(window, {
    setTimeout: (work: TimerHandler, ms?: number, ...given: unknown[]) =>
      ms === 5_000 ? 0 : later(work, ms, ...given),
  });
}

test("pending and redirecting screens pass axe, light and dark, wide and narrow", async () => {
  const found: Found = {};
  const page = await openInside();
  await page.addInitScript(holdStill);
  const unanswered = () => {};
  const callback = `/integrations/${specifiedCrm}/callback`;
  await page.route(`**/api/v1${callback}`, unanswered);
  await page.goto(`${callback}?code=one&state=two`);
  await page.getByRole("status").getByRole("heading").waitFor();
  await lookAt(page, "a CRM's callback that waits", found);
  await page.unrouteAll();
  await page.route(`**/api/v1${callback}`, (route) => route.fulfill({ json: { label: "Harbour CRM" } }));
  await page.goto(`${callback}?code=one&state=two`);
  await page.getByText("Success! Redirecting...").waitFor();
  await lookAt(page, "a CRM's callback that succeeded", found);
  await page.goto(`${callback}?error=access_denied`);
  await page.getByText("Failure, redirecting...").waitFor();
  await lookAt(page, "a CRM's callback that failed", found);

  await page.evaluate(() => sessionStorage.setItem("leadline.hosted-login", "made up"));
  await page.route("**/api/v1/hosted-login/token", unanswered);
  await page.goto("/oauth2/callback?code=one&state=two");
  await page.getByRole("heading", { name: "...Loading" }).waitFor();
  await lookAt(page, "the hosted login's callback", found);
  await page.route("**/api/v1/logout", unanswered);
  await page.goto("/logout");
  await page.getByText("Logging out...").waitFor();
  await lookAt(page, "logging out", found);
  expect(found).toEqual({});
});

// Two looks that cover every colour and layout. Each goes through all the dialogs.
test.each([
  { colorScheme: "light", size: "wide" },
  { colorScheme: "dark", size: "narrow" },
] as const)("filled screens, menus and dialogs pass axe: $colorScheme, $size", async (look) => {
  const page = await openInside(look);
  const found = await findingsInFilledScreens(page, lead);
  expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
});

test("buying, the palette and a call pass axe, light and dark, wide and narrow", async () => {
  const found: Found = {};
  const page = await openInside();
  await moveTo(page, "/settings/phone-numbers/assign");
  const buy = page.getByRole("button", { name: /^Buy \+/ });
  const number = (await buy.first().getAttribute("aria-label"))?.replace("Buy ", "") ?? "";
  await page.getByLabel("Search by digits or area code").fill(number);
  // The whole list was checked above, and takes long.
  await expect.poll(() => buy.count()).toBe(1);
  await buy.click();
  await page.getByRole("dialog").waitFor();
  await lookAt(page, "buying a number", found);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to a screen, find a lead or call a number" }).waitFor();
  await lookAt(page, "command palette", found);
  await page.getByRole("option", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await lookAt(page, "keyboard shortcuts", found);
  await page.keyboard.press("Escape");
  const who = { firstName: "Eve", lastName: "Rook", email: "eve@rook.example", phone: "+1 202 555 0108" };
  const body = { ...who, followUpOn: "2126-02-01" };
  const callee = await ask("/v1/leads", { body, token: person.token });
  await moveTo(page, "/calls");
  await dial(page, "+12025550108");
  await untilAnswered(page);
  await lookAt(page, "keypad in a call", found);
  await page.getByRole("button", { name: "Hide" }).click();
  await lookAt(page, "active call", found);
  // During a call, every screen has the call's title.
  const goTo = (path: string) => page.evaluate((to) => history.pushState({}, "", to), path);
  await goTo(`/leads/${callee.id}`);
  const panel = page.getByRole("region", { name: "This call" });
  await panel.getByLabel("Call back at").waitFor();
  await lookAt(page, "a lead's page in a call", found);
  await goTo("/calls");
  await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor();
  await hangUp(page);
  await lookAt(page, "call ended", found);
  expect(found).toEqual({});
});
