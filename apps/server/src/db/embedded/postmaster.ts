import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunAs } from "./unprivileged-user.ts";

export interface Postmaster {
  pid: number;
  port: number;
  /** The folder of its Unix socket; empty if it has none. */
  socketFolder: string;
}

const settings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  // Each process uses up to 25; the tests run a dozen processes on one cluster.
  max_connections: "300",
  password_encryption: "scram-sha-256",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  jit: "off",
  // Committed data must survive a power failure: these are the defaults, set explicitly so that no file in the data
  // folder overrides them.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
};

/**
 * Starts it in its own session, so that Ctrl-C in the terminal only reaches Leadline, which then shuts it down cleanly.
 */
export function spawnPostmaster(options: {
  program: string;
  folder: string;
  port: number;
  logFile: string;
  runAs: RunAs;
  socketFolder: string;
}): Postmaster {
  const { socketFolder } = options;
  const args = ["-D", options.folder, "-p", String(options.port)];
  for (const [name, value] of Object.entries({ ...settings, unix_socket_directories: socketFolder }))
    args.push("-c", `${name}=${value}`);
  const log = openSync(options.logFile, "w", 0o600);
  const { program, args: all, options: user } = options.runAs.command(options.program, args);
  const child = spawn(program, all, {
    ...user,
    detached: true,
    stdio: ["ignore", log, log],
    env: postgresEnvironment(),
  });
  closeSync(log);
  child.on("error", () => {});
  child.unref();
  return { pid: child.pid ?? 0, port: options.port, socketFolder };
}

/**
 * The data folder itself, which only its owner may enter. Empty if its path is too long for a socket address (unix(7):
 * 108 bytes with the terminating zero, 104 on macOS), if a list of folders would split it, or if its file system has no
 * sockets.
 */
export async function chooseSocketFolder(folder: string): Promise<string> {
  const fits = Buffer.byteLength(join(folder, ".s.PGSQL.65535")) < 104;
  if (process.platform === "win32" || !fits || /[",]/.test(folder)) return "";
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(""));
    probe.listen(join(folder, `.s.${process.pid}`), () => probe.close(() => resolve(folder)));
  });
}

/** Omits PG* variables that are meant for another database. */
export function postgresEnvironment(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

/** The postmaster that the lock file names, if that process is alive and is a Postgres of this folder. */
export function findLivePostmaster(folder: string): Postmaster | null {
  const lock = readLockFile(folder);
  if (lock === null) return null;
  if (isPostmasterOf(lock.pid, folder)) return lock;
  // Another process has that number by now (pids in a container start over), and Postgres would refuse to start.
  rmSync(join(folder, "postmaster.pid"), { force: true });
  return null;
}

/** postmaster.pid: pid, data folder, start time, port and socket folder, one per line (PostgreSQL, miscadmin.h). */
function readLockFile(folder: string): Postmaster | null {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3]), socketFolder: lines[4] ?? "" };
  } catch {
    return null;
  }
}

function isPostmasterOf(pid: number, folder: string): boolean {
  return isAlive(pid) && readCommandLine(pid).includes(folder);
}

/** From /proc if it exists (a slim image has no ps), otherwise from ps (macOS). */
function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return String(spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "");
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A killed postmaster still responds to signals until its parent reaps it. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * SIGINT is a fast shutdown: it ends connections and writes a checkpoint. SIGQUIT after 20 s; recovery then replays the
 * log.
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 2_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
      if (!isAlive(pid)) return;
      await sleep(20);
    }
  }
}

/** Below 32768, where Linux assigns no ephemeral ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
