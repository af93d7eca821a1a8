import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const readyWithinMs = 120_000;

export interface RunningApp {
  address: string;
  pid: number;
  dataDir: string;
  stop(): Promise<void>;
}

/** The real app as `npm start` runs it: a process of its own on a free port, with an empty data folder that goes afterwards. */
export async function startApp(options: { env?: Record<string, string> } = {}): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-e2e-"));
  // A test run's own NODE_ENV would make another app of it.
  const { NODE_ENV: _, ...environment } = process.env;
  const child = spawn(process.execPath, ["apps/server/src/main.ts"], {
    cwd: repository,
    env: { ...environment, PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "error", ...options.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const address = await readAddress(child);
    return { address, pid: child.pid ?? 0, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the app was not ready in time")), readyWithinMs);
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Leadline is ready at (\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the app ended before it was ready (exit code ${code})`));
    });
  });
}
