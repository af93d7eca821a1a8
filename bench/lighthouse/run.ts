/**
 * Lighthouse's four scores of /login and of /dashboard, signed in, as its two presets see them: a phone on a slow line, a desk.
 * `node bench/lighthouse/run.ts [rounds]`. npx fetches Lighthouse, which is too large to be a dependency of a test.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "../../e2e/support/find-chromium.ts";
import { openAs, signUp } from "../../e2e/support/sign-up.ts";
import { startApp } from "../../e2e/support/start-app.ts";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 3);
const lighthouse = "lighthouse@12.8.2";
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

interface Report {
  categories: Record<(typeof categories)[number], { score: number }>;
  audits: Record<
    "first-contentful-paint" | "largest-contentful-paint" | "total-blocking-time",
    { numericValue: number }
  >;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

const folder = mkdtempSync(join(tmpdir(), "leadline-lighthouse-"));
const app = await startApp();
const { executablePath, env } = await findChromium();
const port = await freePort();
// Lighthouse opens its own tab, so the session must be in the profile that every tab shares.
const profile = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath,
  env: { ...process.env, ...env },
  chromiumSandbox: false,
  args: [`--remote-debugging-port=${port}`, "--no-zygote"],
  baseURL: app.address,
});

async function rate(path: string, preset: "mobile" | "desktop"): Promise<string[]> {
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const output = join(folder, "report.json");
    const options = [
      "--quiet",
      "--output=json",
      `--output-path=${output}`,
      `--only-categories=${categories.join(",")}`,
      // Without a preset it is a phone.
      ...(preset === "desktop" ? ["--preset=desktop"] : []),
    ];
    await promisify(execFile)("npx", ["--yes", lighthouse, `${app.address}${path}`, `--port=${port}`, ...options]);
    reports.push(JSON.parse(readFileSync(output, "utf8")));
  }
  const scores = categories.map((name) => median(reports.map((report) => report.categories[name].score * 100)));
  const times = (["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"] as const).map((name) =>
    median(reports.map((report) => report.audits[name].numericValue)),
  );
  return [path, preset, ...[...scores, ...times].map((value) => String(Math.round(value)))];
}

const loadBefore = loadavg()[0] ?? 0;
try {
  const login = [await rate("/login", "mobile"), await rate("/login", "desktop")];
  const page = await openAs(profile, await signUp(app.address, { organisation: "Harbour" }), "/dashboard");
  await page.close();
  const dashboard = [await rate("/dashboard", "mobile"), await rate("/dashboard", "desktop")];
  writeResults("lighthouse", {
    what:
      `${lighthouse}, medians of ${rounds} runs; times in milliseconds. ` +
      `Load before: ${loadBefore.toFixed(1)}; blocking time grows with whatever else the machine does.`,
    rows: [["page", "preset", ...categories, "first paint", "largest paint", "blocked"], ...login, ...dashboard],
  });
} finally {
  await profile.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}
