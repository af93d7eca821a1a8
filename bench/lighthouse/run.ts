/**
 * Lighthouse's four scores of /login and of /dashboard, logged in, with its two presets: a phone on a slow connection,
 * and a desktop. The phone twice: with the processor slowed down four times, as Lighthouse does on any machine, and
 * calibrated to this one. `node bench/lighthouse/run.ts [rounds]`. npx fetches Lighthouse, which is too large for a
 * test dependency.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "../../testing/find-chromium.ts";
import { openAs, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 3);
const lighthouse = "lighthouse@12.8.2";
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

/** The BenchmarkIndex of a mid-tier phone (a Pixel 5), to which Chrome's DevTools calibrate their slow-down. */
const midTierPhoneIndex = 1000;

interface Report {
  environment: { benchmarkIndex: number };
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
// Lighthouse opens its own tab, so the session must be in the profile that all tabs share.
const profile = await chromium.launchPersistentContext(join(folder, "profile"), {
  executablePath,
  env: { ...process.env, ...env },
  chromiumSandbox: false,
  args: [`--remote-debugging-port=${port}`, "--no-zygote"],
  baseURL: app.address,
});

interface Emulation {
  name: string;
  options: readonly string[];
}
// Without a preset it is a phone.
const phone: Emulation = { name: "mobile", options: [] };
const desk: Emulation = { name: "desktop", options: ["--preset=desktop"] };

async function rate(path: string, { name, options }: Emulation) {
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const output = join(folder, "report.json");
    const all = [
      "--quiet",
      "--output=json",
      `--output-path=${output}`,
      `--only-categories=${categories.join(",")}`,
      ...options,
    ];
    await promisify(execFile)("npx", ["--yes", lighthouse, `${app.address}${path}`, `--port=${port}`, ...all]);
    reports.push(JSON.parse(readFileSync(output, "utf8")));
  }
  const scores = categories.map((category) => median(reports.map((report) => report.categories[category].score * 100)));
  const times = (["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"] as const).map((audit) =>
    median(reports.map((report) => report.audits[audit].numericValue)),
  );
  const index = median(reports.map(({ environment }) => environment.benchmarkIndex));
  return { index, row: [path, name, ...[...scores, ...times, index].map((value) => String(Math.round(value)))] };
}

async function rateAll(path: string): Promise<string[][]> {
  const asItComes = await rate(path, phone);
  const slowDown = Math.max(1, asItComes.index / midTierPhoneIndex).toFixed(1);
  const calibrated = {
    name: `mobile, ${slowDown}x: a mid-tier phone by DevTools`,
    options: [`--throttling.cpuSlowdownMultiplier=${slowDown}`],
  };
  return [asItComes.row, (await rate(path, calibrated)).row, (await rate(path, desk)).row];
}

const loadBefore = loadavg()[0] ?? 0;
try {
  const login = await rateAll("/login");
  const page = await openAs(profile, await signUp(app.address, { organisation: "Harbour" }), "/dashboard");
  await page.close();
  const dashboard = await rateAll("/dashboard");
  writeResults("lighthouse", {
    what:
      `${lighthouse}, medians of ${rounds} runs; times in milliseconds. ` +
      `Load before: ${loadBefore.toFixed(1)}; blocking time grows with whatever else the machine does. ` +
      "Plain `mobile` is Lighthouse as it comes: a processor four times slower than this one, whatever this one is. " +
      `The row below it is slowed down to a BenchmarkIndex of ${midTierPhoneIndex}, which Chrome's DevTools take for a ` +
      "mid-tier phone (a Pixel 5): an easier measure, and no replacement for the first.",
    rows: [
      ["page", "preset", ...categories, "first paint", "largest paint", "blocked", "BenchmarkIndex"],
      ...login,
      ...dashboard,
    ],
  });
} finally {
  await profile.close();
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
}
