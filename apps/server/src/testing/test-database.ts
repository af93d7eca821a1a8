import { Pool } from "pg";
import { afterAll, inject } from "vitest";
import { type Database, openDatabase } from "../db/database.ts";
import { createLog } from "../log.ts";

/** The run's database or another, as requests use it (the app's role). Closed after the suite. */
export function testDatabase(url = inject("databaseUrl")): Database {
  const database = openDatabase(url, createLog("fatal"), { maxConnections: 10, patienceMs: 30_000 });
  afterAll(() => database.close());
  return database;
}

/** The run's database as its owner, to inspect rows directly. Closed after the suite. */
export function ownerPool(): Pool {
  const pool = new Pool({ connectionString: inject("databaseUrl"), max: 2 });
  afterAll(() => pool.end());
  return pool;
}
