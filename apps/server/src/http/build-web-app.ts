import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { StartRefused } from "../config.ts";
import type { Log } from "../log.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const web = join(repository, "apps/web");
const dist = join(web, "dist");

/** Builds the web app if there is no build or its sources are newer, and returns the build's folder. */
export async function buildWebApp(log: Log): Promise<string> {
  if (newestSourceMs() > builtAtMs()) {
    log.info("building the web app");
    await runBuild();
  }
  return dist;
}

function builtAtMs(): number {
  const index = join(dist, "index.html");
  return existsSync(index) ? statSync(index).mtimeMs : 0;
}

function newestSourceMs(): number {
  const sources = ["src", "public", "build", "index.html", "vite.config.ts"].map((name) => join(web, name));
  // A changed dependency also changes the app.
  sources.push(join(repository, "packages/contract/src"), join(repository, "package-lock.json"));
  return Math.max(0, ...sources.flatMap(modifiedMs));
}

function modifiedMs(path: string): number[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [stats.mtimeMs];
  return [stats.mtimeMs, ...readdirSync(path).flatMap((name) => modifiedMs(join(path, name)))];
}

/**
 * Builds into a temporary folder first: two processes may build at once, and neither may serve half of the other's
 * build.
 */
async function runBuild(): Promise<void> {
  const fresh = join(web, `.dist-${process.pid}`);
  try {
    const child = startVite(["--outDir", fresh]);
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const output = child.stderr === null ? "" : await text(child.stderr);
    if ((await exit) !== 0) throw new StartRefused(`The web app could not be built:\n${output.trim()}`);
    takePlace(fresh);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The last build replaces the others as a whole. */
function takePlace(fresh: string): void {
  const former = `${fresh}-former`;
  for (let place = false; !place;) {
    renamed(dist, former, ["ENOENT"]);
    place = renamed(fresh, dist, ["ENOTEMPTY", "EEXIST"]);
    rmSync(former, { recursive: true, force: true });
  }
}

/** Returns whether the rename succeeded; an expected obstacle isn't an error. */
function renamed(from: string, to: string, expected: readonly string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && expected.includes(String(error.code))) return false;
    throw error;
  }
}

function startVite(args: string[]): ChildProcess {
  try {
    const vite = dirname(createRequire(join(web, "package.json")).resolve("vite/package.json"));
    const command = [join(vite, "bin/vite.js"), "build", web, "--logLevel", "warn", ...args];
    // Whatever NODE_ENV started the server (a test runner sets "test"), users get React's production build.
    const env = { ...process.env, NODE_ENV: "production" };
    return spawn(process.execPath, command, { cwd: repository, env, stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    throw new StartRefused("The web app is not built, and vite is not installed. Run `npm ci`, then start again.", {
      cause: error,
    });
  }
}
