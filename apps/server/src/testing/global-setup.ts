import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The owner's connection string of a migrated database, shared by every suite of a run. */
    databaseUrl: string;
  }
}

/** One real PostgreSQL for a whole test run, in a private folder that is removed afterwards. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir }, createLog("warn"));
  await migrate(postgres.url);
  project.provide("databaseUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
