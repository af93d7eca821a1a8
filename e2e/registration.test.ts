import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findings } from "./support/axe-findings.ts";
import { inBothLooks, type Look } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { openProfile } from "./support/people.ts";
import { askAt, newCredentials, type Person, signUp } from "../testing/sign-up.ts";
import { type RunningApp, startApp } from "../testing/start-app.ts";

const env = { REGISTRATION: "open" };
let browser: Browser;
let app: RunningApp;
let owner: Person;
const restartWith = async (registration: string) => {
  env.REGISTRATION = registration;
  await app.restart("SIGTERM");
};

beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startApp({ env })]);
  owner = await signUp(app.address, { organisation: "Harbour" });
});
afterAll(async () => {
  await browser.close();
  await app.stop();
});

const pageIn = async (look: Look) =>
  (await openProfile(browser, { baseURL: app.address, bypassCSP: true, ...look })).newPage();

describe("by invitation", () => {
  beforeAll(() => restartWith("invite-only"));

  inBothLooks((look) => {
    test("with invitation only, /register says so instead of showing a form, until an invitation leads there", async () => {
      const page = await pageIn(look);
      await page.goto("/register");
      await page.getByRole("heading", { level: 1, name: "By invitation only" }).waitFor();
      await page.getByText("You need an invitation to register on this server.").waitFor();
      expect(await page.locator("form").count()).toBe(0);
      expect(await findings(page)).toEqual([]);
      await page.getByRole("main").getByRole("link", { name: "Login" }).click();
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();

      const { email } = newCredentials();
      const { token } = owner;
      const { id } = await askAt(app.address, "/v1/invitations", { body: { email, role: "member" }, token });
      const { url } = await askAt(app.address, `/v1/invitations/${id}/link`, { method: "POST", token });
      await page.goto(url);
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.getByRole("button", { name: "Create account" }).waitFor();
      expect(await page.getByLabel("Email").inputValue()).toBe(email);
    });

    test("a new server's set-up link opens the form without an invitation", async () => {
      const page = await pageIn(look);
      await page.goto("/login");
      await page.goto("/register#from-the-log");
      await page.getByRole("button", { name: "Create account" }).waitFor();
      expect(await page.getByLabel("Password", { exact: true }).count()).toBe(1);
    });
  });
});

describe("by domain", () => {
  beforeAll(() => restartWith("example.com,harbour.example"));

  inBothLooks((look) => {
    test("if addresses of some domains may register, /register names the domains above the form", async () => {
      const page = await pageIn(look);
      await page.goto("/register");
      await page.getByText("Only addresses at example.com or harbour.example can register here.").waitFor();
      await page.getByRole("button", { name: "Create account" }).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByLabel("First name").fill("Robin");
      await page.getByLabel("Last name").fill("Tester");
      await page.getByLabel("Email").fill(`${randomUUID()}@harbour.example`);
      expect(await page.getByLabel("Password").count()).toBe(0);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      expect(await findings(page)).toEqual([]);
    });
  });
});
