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

/** $1 is the pipe, $2 the content, which takes the pipe's place before it is passed on. */
const hold = 'exec 3>"$1"; echo read; timeout 60 head -c 1 >/dev/null; echo released; mv "$2" "$1"; cat "$1" >&3';

/**
 * A file whose reader waits until `release`: whoever reads it synchronously is blocked meanwhile. A program of its own
 * holds it, and releases it after a minute, because that reader may be the thread that runs the test.
 */
export function holdFile(content: string | Uint8Array): HeldFile {
  const folder = mkdtempSync(join(tmpdir(), "leadline-held-"));
  const [path, kept] = [join(folder, "held"), join(folder, "content")];
  writeFileSync(kept, content);
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", path]);
  const holder = spawn("sh", ["-c", hold, "sh", path, kept], { stdio: ["pipe", "pipe", "ignore"] });
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
