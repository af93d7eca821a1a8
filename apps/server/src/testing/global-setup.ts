import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../db/embedded/start-embedded-postgres.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The owner's connection string of a migrated database, shared by every suite of a run. */
    databaseUrl: string;
    /** A migrated database without connections, of which a suite can have a copy. */
    migratedDatabase: string;
  }
}

/** One real PostgreSQL for a whole test run, in a private folder that is removed afterwards. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir }, createLog("warn"));
  await migrate(postgres.url);
  project.provide("databaseUrl", postgres.url);
  project.provide("migratedDatabase", await createMigratedDatabase(postgres.url));
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** The superuser's password is the owner's. */
async function createMigratedDatabase(databaseUrl: string): Promise<string> {
  const name = "migrated";
  const superuser = new URL(databaseUrl);
  superuser.username = "postgres";
  const client = new Client({ connectionString: superuser.href });
  await client.connect();
  await client.query(`create database ${name} owner leadline`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return name;
}
