import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dial, hangUp, untilAnswered } from "./support/dial.ts";
import { findings } from "./support/axe-findings.ts";
import { findingsInFilledScreens } from "./support/filled-screens.ts";
import { openBrowser } from "./support/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs, type Person } from "./support/sign-up.ts";

let browser: Browser;
let person: Person;
let lead: { id: string; name: string };
beforeAll(async () => {
  [browser, person] = await Promise.all([openBrowser(), newPerson()]);
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+1 202 555 0187" };
  lead = { id: (await ask("/v1/leads", { body, token: person.token })).id, name: "Bob Stone" };
});
afterAll(() => browser.close());

const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 375, height: 740 } };
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  (["wide", "narrow"] as const).map((size) => ({ colorScheme, size })),
);
const publicScreens = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  `/reset-password#${"a".repeat(43)}`,
  `/invitation#${"a".repeat(43)}`,
  "/error",
  "/no-such-page",
];
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
  await page.goto("/health");
  await page.getByText("Ok!").waitFor();
  found["/health"] = await findings(page);
  const member = await openProfile(browser, { colorScheme, viewport: sizes[size], bypassCSP: true });
  const inside = await openAs(member, person);
  for (const path of signedInScreens) {
    await inside.goto(path);
    await inside.getByRole("heading").first().waitFor({ state: "attached" });
    await expect.poll(() => inside.locator("[data-skeleton], .animate-pulse, .animate-breathe").count()).toBe(0);
    found[path] = await findings(inside);
  }
  // In two looks, in which every colour and every layout is met: it takes as long as all screens together.
  if ((colorScheme === "light") === (size === "wide"))
    Object.assign(found, await findingsInFilledScreens(inside, lead));
  await inside.goto("/settings/phone-numbers/assign");
  await inside.getByRole("button", { name: /^Buy / }).first().click();
  await inside.getByRole("dialog").waitFor();
  found["buying a number"] = await findings(inside);
  await inside.keyboard.press("Escape");
  await inside.keyboard.press("Control+k");
  await inside.getByRole("combobox", { name: "Go to a screen, find a lead or call a number" }).waitFor();
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
