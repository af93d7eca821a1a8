import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Running {
  process: ChildProcess;
  /** What it wrote so far, for the day it fails. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a peer in the foreground, and stops it by its own process, never by name. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string },
): Running {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-20_000));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.on("error", (error) => (output += error.message));
  return {
    process: child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), 500);
      await exited;
      clearTimeout(killed);
    },
  };
}

// At random: test files run side by side, and their threads share a process.
let lastPort = 20_000 + randomInt(2_500) * 4;

/** Ports of one number free for both UDP and TCP, below the system's own range; each is handed out once in this process. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort = 20_000 + ((lastPort - 20_000 + 4) % 10_000);
    if ((await isFreeForUdp(lastPort)) && (await isFreeForTcp(lastPort))) return lastPort;
  }
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  const tried = Promise.race([once(socket, "listening").then(() => true), once(socket, "error").then(() => false)]);
  socket.bind(port, "127.0.0.1");
  const free = await tried.catch(() => false);
  socket.close();
  return free;
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  const tried = once(server, "listening").then(
    () => true,
    () => false,
  );
  server.listen(port, "127.0.0.1");
  const free = await tried;
  server.close();
  return free;
}

export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const lastMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > lastMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(20);
  }
}

export async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const connected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
