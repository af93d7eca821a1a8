import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Transactions per second of PostgreSQL's own pgbench (Debian's postgresql-contrib); null if it isn't installed. */
export async function pgbench(
  databaseUrl: string,
  options: { script: string; connections: number; seconds: number },
): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), "leadline-pgbench-"));
  const file = join(folder, "script.sql");
  writeFileSync(file, options.script);
  const { connections, seconds } = options;
  const args = ["-n", "-M", "prepared", "-c", `${connections}`, "-j", "1", "-T", `${seconds}`, "-f", file, databaseUrl];
  try {
    const { stdout } = await promisify(execFile)("pgbench", args);
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? Number.NaN);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
