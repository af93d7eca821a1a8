import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** No upload takes nearly as long. */
const longestKeptMs = 24 * 60 * 60_000;

/**
 * DATA_DIR/incoming/<machine>~<process id>~<random>: where this process receives uploads, readable by its own user only.
 * Deletes what killed processes left there. Other processes, on this machine or others, may share DATA_DIR.
 */
export function openIncomingFolder(dataDir: string, closers: (() => unknown)[] = []): string {
  const incoming = join(dataDir, "incoming");
  mkdirSync(incoming, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(incoming))
    if (isAbandoned(join(incoming, name), name)) rmSync(join(incoming, name), { recursive: true, force: true });
  const folder = join(incoming, `${hostname()}~${process.pid}~${randomUUID()}`);
  mkdirSync(folder, { mode: 0o700 });
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isAbandoned(path: string, name: string): boolean {
  const [machine, processId] = name.split("~");
  if (machine === hostname() && !isRunning(Number(processId))) return true;
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > longestKeptMs;
}

/** A restarted container's process often has its predecessor's id. */
function isRunning(processId: number): boolean {
  if (processId === process.pid) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
