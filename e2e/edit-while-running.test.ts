import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { demoPerson } from "../apps/server/src/demo-person.ts";
import { dial, hangUp, untilAnswered } from "../testing/dial.ts";
import { installEars, loudness, record } from "./support/ears.ts";
import { openBrowser } from "../testing/open-browser.ts";

const repository = fileURLToPath(new URL("../", import.meta.url));

/** Copies the files that `npm run dev` edits and runs, to a place where node_modules is found by walking up. */
function copyRepository(): string {
  const copies = join(repository, "e2e/failures");
  mkdirSync(copies, { recursive: true });
  const copy = mkdtempSync(join(copies, "edited-"));
  const leftOut = new Set(["node_modules", "dist", "failures", "results"]);
  for (const name of ["apps", "packages", "carriers", "crms", "scripts", "package.json", "tsconfig.base.json"]) {
    const filter = (path: string) => !leftOut.has(basename(path));
    cpSync(join(repository, name), join(copy, name), { recursive: true, filter });
  }
  return copy;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

function edit(copy: string, { file, from, to }: { file: string; from: string; to: string }): void {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

test("npm run dev applies a page edit during a call, and a server edit after a restart", async () => {
  const copy = copyRepository();
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-dev-"));
  const port = await freePort();
  const { NODE_ENV: _, ...environment } = process.env;
  const dev = spawn("npm", ["run", "dev"], {
    cwd: copy,
    env: { ...environment, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "error", SECRET_KEY: "k".repeat(40) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(dev, "exit");
  onTestFinished(async () => {
    dev.kill("SIGTERM");
    await exited;
    rmSync(copy, { recursive: true });
    rmSync(dataDir, { recursive: true });
  });
  let output = "";
  dev.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const starts = () => output.match(/Leadline is ready at /g)?.length ?? 0;
  await expect.poll(starts, { timeout: 100_000 }).toBe(1);

  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ baseURL: `http://localhost:${port}`, permissions: ["microphone"] });
  context.setDefaultTimeout(60_000);
  await installEars(context);
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill(demoPerson.email);
  await page.getByLabel("Password", { exact: true }).fill(demoPerson.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto("/calls");
  await dial(page, "+12025550100");
  await untilAnswered(page);
  const sound = async () => loudness(await record(page, 500));
  await expect.poll(sound).toBeGreaterThan(0.01);
  // A reload would empty the list of connections. A slow page may have opened two before the edit.
  const opened = () => page.evaluate(() => ({ atMs: performance.timeOrigin, connections: window.peers.length }));
  const before = await opened();

  edit(copy, { file: "apps/web/src/phone/pad/pad-row.tsx", from: `label="Hide"`, to: `label="Put away"` });
  await page.getByRole("button", { name: "Put away" }).waitFor();
  expect(await sound()).toBeGreaterThan(0.01);
  expect(await opened()).toEqual(before);
  await hangUp(page);

  const there = async () => (await fetch(`http://localhost:${port}/api/nowhere`)).text();
  edit(copy, { file: "apps/server/src/http/serve-web-app.ts", from: "nothing at this address", to: "nobody here" });
  await expect.poll(there).toContain("There is nobody here.");
  expect(starts()).toBe(2);
});
