import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../", import.meta.url));
const readyWithinMs = 120_000;

export interface RunningApp {
  address: string;
  readonly pid: number;
  dataDir: string;
  /** Stops it with that signal, then starts it at the same address, with the same data. */
  restart(signal: "SIGTERM" | "SIGKILL", meanwhile?: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The real app as `npm start` runs it: a separate process on a free port, with an empty data folder that is removed
 * afterwards. It runs from this checkout, or from another to compare them.
 */
export async function startApp(options: { env?: Record<string, string>; checkout?: string } = {}): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-e2e-"));
  // A test run's own NODE_ENV would change the app.
  const { NODE_ENV: _, ...environment } = process.env;
  const clearUp = clearUpAtOurEnd(dataDir);
  let running = launch("0");

  function launch(port: string) {
    const child = spawn(process.execPath, ["apps/server/src/main.ts"], {
      cwd: options.checkout ?? repository,
      env: {
        ...environment,
        PORT: port,
        DATA_DIR: dataDir,
        LOG_LEVEL: "error",
        PRIVATE_NETWORKS: "127.0.0.0/8",
        ...options.env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    clearUp.stdin.write(`${child.pid}\n`);
    return { child, exited: new Promise<void>((resolve) => child.once("exit", () => resolve())) };
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    running.child.kill(signal);
    await running.exited;
  }
  const stop = async () => {
    await end("SIGTERM");
    clearUp.ref();
    clearUp.stdin.end();
    await once(clearUp, "exit");
  };
  try {
    const address = await readAddress(running.child);
    return {
      address,
      get pid() {
        return running.child.pid ?? 0;
      },
      dataDir,
      async restart(signal, meanwhile) {
        await end(signal);
        try {
          await meanwhile?.();
        } finally {
          // The next test of the file needs it, too.
          running = launch(new URL(address).port);
          await readAddress(running.child);
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const clearingUp = `
  while read -r line; do app=$line; done
  kill -s TERM "$app"
  while kill -s 0 "$app"; do sleep 0.1; done
  rm -rf "$0"
`;

/**
 * When its input ends, so at the latest with this process, it stops the app whose process id it got last, and removes
 * the folder: a killed test run would leave both behind.
 */
function clearUpAtOurEnd(folder: string) {
  const shell = spawn("/bin/sh", ["-c", clearingUp, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  shell.unref();
  return shell;
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
