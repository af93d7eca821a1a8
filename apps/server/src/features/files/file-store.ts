import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { copyFile, type FileHandle, link, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Stores bytes under names generated here: no path ever comes from a client. */
export interface FileStore {
  /**
   * Keeps the file at `path`, whose content no longer changes, and returns its stored name. A second link takes no
   * room; a copy is made only where the file system can't link.
   */
  keep(path: string): Promise<string>;
  /** endByte: the last byte to read. */
  open(storedName: string, options?: { startByte: number; endByte?: number }): Readable;
  /** For a worker thread that reads the file itself. */
  pathOf(storedName: string): string;
  read(storedName: string): Promise<Buffer>;
  sizeOf(storedName: string): Promise<number>;
  /** For a file that is written gradually: reserves a name, and opens a file with that name for writing. */
  drawName(): string;
  openToWrite(storedName: string, which: "new" | "existing"): Promise<FileHandle>;
  remove(storedName: string): Promise<void>;
  /** The names of files stored before that time. */
  listOlderThan(timeMs: number): Promise<string[]>;
}

/** In DATA_DIR/files, separate from the web app's files. */
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
        await link(path, pathOf(storedName)).catch(() => copyFile(path, pathOf(storedName)));
      } catch (error) {
        // Half a file would waste space on a full disk.
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
