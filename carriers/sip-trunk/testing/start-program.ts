import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { guardGroup } from "./guard-group.ts";

export interface Running {
  process: ChildProcess;
  /** Its output so far, for error messages. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a peer in the foreground, and stops it by its process, never by name; its child processes end with it. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; takesInput?: boolean },
): Running {
  const { env, cwd, takesInput = false } = options;
  const child = spawn(program, args, {
    // Libraries leave temporary files in its own folder.
    env: { ...env, TMPDIR: cwd },
    cwd,
    stdio: [takesInput ? "pipe" : "ignore", "pipe", "pipe"],
    detached: true,
  });
  const groupEnded = guardGroup(child);
  let output = "";
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-20_000));
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  child.stdin?.on("error", () => {});
  child.on("error", (error) => (output += error.message));
  return {
    process: child,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      const killed = setTimeout(() => child.kill("SIGKILL"), 500);
      await groupEnded;
      clearTimeout(killed);
    },
  };
}

const firstPort = 20_000;
/** A hundred ports, four apart: some peers use the following ones too. */
const portsOfBlock = 400;
const blocks = 25;
let block: Promise<number> | null = null;
let lastPort = 0;

/** Reserves a block of ports for this test file by listening on its first port: files run in parallel. */
async function claimBlock(): Promise<number> {
  for (let tries = 0; tries < blocks * 4; tries++) {
    const first = firstPort + randomInt(blocks) * portsOfBlock;
    const guard = createServer();
    guard.unref();
    const claimed = once(guard, "listening").then(
      () => true,
      () => false,
    );
    guard.listen(first, "127.0.0.1");
    if (await claimed) return first;
  }
  throw new Error("all ports that the SIP peers of tests may use are taken");
}

/** A port that is free for UDP and TCP, below the ephemeral range; each is returned once per process. */
export async function freePort(): Promise<number> {
  block ??= claimBlock();
  const first = await block;
  for (;;) {
    lastPort = (lastPort + 4) % portsOfBlock || 4;
    const port = first + lastPort;
    // baresip uses the next one for TLS.
    const free = await Promise.all([isFreeForUdp(port), isFreeForTcp(port), isFreeForTcp(port + 1)]);
    if (free.every(Boolean)) return port;
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

export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<void> {
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
