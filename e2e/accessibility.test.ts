import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "./support/dial.ts";
import { findings } from "./support/axe-findings.ts";
import { openBrowser } from "./support/open-browser.ts";
import { newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "./support/sign-up.ts";

let browser: Browser;
let person: Person;
beforeAll(async () => {
  [browser, person] = await Promise.all([openBrowser(), newPerson()]);
});
afterAll(() => browser.close());

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 375, height: 740 } };
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  (["wide", "narrow"] as const).map((size) => ({ colorScheme, size })),
);
const publicScreens = ["/", "/login", "/register", "/forgot-password", "/error", "/no-such-page"];
/** The same at any width. */
const textScreens = ["/faq", "/about", "/privacy-policy", "/terms-of-use"];
const signedInScreens = [
  "/dashboard",
  "/integrations",
  "/integrations/new",
  "/leads",
  "/leads/new",
  "/leads/import",
  "/calls",
  "/settings/organisations",
  "/settings/organisations/new",
  "/settings/general",
  "/settings/members",
  "/settings/outcomes",
  "/settings/do-not-call",
  "/settings/billing",
  "/settings/limits",
  "/settings/account",
  "/settings/sessions",
  "/settings/notifications",
  "/settings/upgrade",
  "/settings/phone-numbers",
  "/settings/phone-numbers/assign",
];

test.each(looks)("every screen passes axe: $colorScheme, $size", async ({ colorScheme, size }) => {
  const stranger = await openProfile(browser, { colorScheme, viewport: sizes[size], bypassCSP: true });
  const page = await stranger.newPage();
  const found: Record<string, string[]> = {};
  for (const path of [...publicScreens, ...(size === "narrow" ? textScreens : [])]) {
    await page.goto(path);
    await page.getByRole("heading").first().waitFor();
    found[path] = await findings(page);
  }
  const member = await openProfile(browser, { colorScheme, viewport: sizes[size], bypassCSP: true });
  const inside = await openAs(member, person);
  for (const path of signedInScreens) {
    await inside.goto(path);
    await inside.getByRole("heading").first().waitFor({ state: "attached" });
    await expect.poll(() => inside.locator("[data-skeleton], .animate-pulse, .animate-breathe").count()).toBe(0);
    found[path] = await findings(inside);
  }
  await inside.getByRole("button", { name: /^Buy / }).first().click();
  await inside.getByRole("dialog").waitFor();
  found["buying a number"] = await findings(inside);
  await inside.keyboard.press("Escape");
  await inside.keyboard.press("Control+k");
  await inside.getByRole("combobox", { name: "Go to a screen or call a number" }).waitFor();
  found["command palette"] = await findings(inside);
  await inside.getByRole("option", { name: "Keyboard shortcuts" }).click();
  await inside.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  found["keyboard shortcuts"] = await findings(inside);
  await inside.goto("/calls");
  await dial(inside, "+12025550108");
  await untilAnswered(inside);
  found["keypad in a call"] = await findings(inside);
  await inside.getByRole("button", { name: "Hide" }).click();
  found["active call"] = await findings(inside);
  await hangUp(inside);
  found["call ended"] = await findings(inside);
  expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
  await Promise.all([stranger.close(), member.close()]);
});
