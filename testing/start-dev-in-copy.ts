import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { demoPerson } from "../apps/server/src/demo-person.ts";

const repository = fileURLToPath(new URL("../", import.meta.url));
const readyWithinMs = 120_000;

export interface DevInCopy {
  address: string;
  /** How often its server has started. */
  starts(): number;
  edit(change: { file: string; from: string; to: string }): void;
  stop(): Promise<void>;
}

/** `npm run dev` in a copy of this repository whose files may be edited, once its server is ready. */
export async function startDevInCopy(): Promise<DevInCopy> {
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
  const stop = async () => {
    dev.kill("SIGTERM");
    await exited;
    rmSync(copy, { recursive: true });
    rmSync(dataDir, { recursive: true });
  };
  let output = "";
  const starts = () => output.match(/Leadline is ready at /g)?.length ?? 0;
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("npm run dev was not ready in time")), readyWithinMs);
    dev.once("exit", (code) => reject(new Error(`npm run dev ended with exit code ${code}`)));
    dev.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (starts() === 0) return;
      clearTimeout(timer);
      resolve();
    });
  });
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: `http://localhost:${port}`,
    starts,
    edit({ file, from, to }) {
      const path = join(copy, file);
      const text = readFileSync(path, "utf8");
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(path, text.replaceAll(from, to));
    },
    stop,
  };
}

/** Copies the files that `npm run dev` edits and runs, to a place where node_modules is found by walking up. */
function copyRepository(): string {
  const copies = join(repository, "e2e/failures");
  mkdirSync(copies, { recursive: true });
  const copy = mkdtempSync(join(copies, "edited-"));
  const leftOut = new Set(["node_modules", "dist", "failures", "results"]);
  const filter = (path: string) => !leftOut.has(basename(path));
  const folders = ["apps", "packages", "carriers", "crms", "payments", "scripts"];
  for (const name of [...folders, "package.json", "tsconfig.base.json"])
    cpSync(join(repository, name), join(copy, name), { recursive: true, filter });
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

/** The phone of the user that `npm run dev` creates. The context's baseURL is the address. */
export async function openDemoPhone(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill(demoPerson.email);
  await page.getByLabel("Password", { exact: true }).fill(demoPerson.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto("/calls");
  return page;
}
