import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface HeldFile {
  path: string;
  /** Resolves once someone is reading the file, and so waits for its content. */
  isBeingRead: Promise<void>;
  release(): void;
  isReleased(): boolean;
}

/** The content takes the pipe's place before it is passed on. */
const hold = `
  const { openSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
  const [, pipe, content] = process.argv;
  const reader = openSync(pipe, "w");
  process.stdout.write("read");
  function release() {
    process.stdout.write("released");
    renameSync(content, pipe);
    writeFileSync(reader, readFileSync(pipe));
    process.exit();
  }
  setTimeout(release, 60_000);
  process.stdin.on("end", release).resume();`;

/**
 * A file whose reader waits until `release`: whoever reads it synchronously is blocked meanwhile. A program of its own
 * holds it, and releases it after a minute, because that reader may be the thread that runs the test.
 */
export function holdFile(content: string | Uint8Array): HeldFile {
  const folder = mkdtempSync(join(tmpdir(), "leadline-held-"));
  const [path, kept] = [join(folder, "held"), join(folder, "content")];
  writeFileSync(kept, content);
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
  const holder = spawn(process.execPath, ["-e", hold, path, kept], { stdio: ["pipe", "pipe", "ignore"] });
  const isOver = once(holder, "exit");
  let told = "";
  const { promise: isBeingRead, resolve } = Promise.withResolvers<void>();
  holder.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString();
    resolve();
  });
  const release = (): void => void holder.stdin.end();
  onTestFinished(async () => {
    release();
    holder.kill();
    await isOver;
    rmSync(folder, { recursive: true, force: true });
  });
  return { path, isBeingRead, release, isReleased: () => told.includes("released") };
}
