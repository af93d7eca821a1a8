import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Browser } from "playwright-core";
import { openBrowser } from "./support/open-browser.ts";

const mostBytes = 150_000;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

test("opening /login loads at most 150 kB of JavaScript, gzipped, and no other screen's", async () => {
  const page = await browser.newPage({ baseURL: inject("appAddress") });
  const loading: Promise<{ path: string; text: string; bytes: number }>[] = [];
  page.on("response", (response) => {
    if (!/javascript/.test(response.headers()["content-type"] ?? "")) return;
    const { pathname } = new URL(response.url());
    loading.push(
      response.body().then((body) => ({ path: pathname, text: body.toString(), bytes: gzipSync(body).length })),
    );
  });
  // Everything the page asks for by itself, static imports, preloads and the screen's own part alike.
  await page.goto("/login", { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Login" }).waitFor();
  const scripts = await Promise.all(loading);
  expect(scripts.length).toBeGreaterThan(1);
  const sum = scripts.reduce((total, { bytes }) => total + bytes, 0);
  const told = scripts.map(({ path, bytes }) => `${path}: ${bytes}`);
  expect(sum <= mostBytes ? [] : told, `${sum} bytes`).toEqual([]);
  // Words of the phone, the charts and a settings page.
  const elsewhere = /RTCPeerConnection|recharts|Calls at the same time/;
  expect(scripts.filter(({ text }) => elsewhere.test(text)).map(({ path }) => path)).toEqual([]);
  await page.close();
});
