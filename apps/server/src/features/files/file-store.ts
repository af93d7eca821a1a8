import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { copyFile, type FileHandle, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Bytes by names that we draw: nothing a sender wrote ever becomes a path. */
export interface FileStore {
  /** Copies what lies at `path`; answers its name here. */
  keep(path: string): Promise<string>;
  /** endByte: the last one that is read. */
  open(storedName: string, options?: { startByte: number; endByte?: number }): Readable;
  /** For a thread that reads it by itself. */
  pathOf(storedName: string): string;
  read(storedName: string): Promise<Buffer>;
  sizeOf(storedName: string): Promise<number>;
  /** For what is not there yet as a whole: a name that was drawn for it, and a file of that name to write to. */
  drawName(): string;
  openToWrite(storedName: string, which: "new" | "existing"): Promise<FileHandle>;
  remove(storedName: string): Promise<void>;
  /** Names of what was kept before that moment. */
  listOlderThan(timeMs: number): Promise<string[]>;
}

/** In DATA_DIR/files, beside the web app's files and never among them. */
export function createFileStore(dataDir: string): FileStore {
  const folder = join(dataDir, "files");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pathOf = (storedName: string): string => {
    if (!/^[0-9a-f-]{36}$/.test(storedName)) throw new Error("not a name that the store gave");
    return join(folder, storedName);
  };
  return {
    async keep(path) {
      const storedName = randomUUID();
      try {
        await copyFile(path, pathOf(storedName));
      } catch (error) {
        // On a full disk, half a file would keep the room that others need.
        await rm(pathOf(storedName), { force: true });
        throw error;
      }
      return storedName;
    },
    open: (storedName, { startByte, endByte = Infinity } = { startByte: 0 }) =>
      createReadStream(pathOf(storedName), { start: startByte, end: endByte }),
    pathOf,
    read: (storedName) => readFile(pathOf(storedName)),
    sizeOf: async (storedName) => (await stat(pathOf(storedName))).size,
    drawName: randomUUID,
    openToWrite: (storedName, which) => open(pathOf(storedName), which === "new" ? "wx" : "r+", 0o600),
    remove: (storedName) => rm(pathOf(storedName), { force: true }),
    async listOlderThan(timeMs) {
      const old: string[] = [];
      for (const name of await readdir(folder)) {
        const { mtimeMs } = await stat(join(folder, name));
        if (mtimeMs < timeMs) old.push(name);
      }
      return old;
    },
  };
}
