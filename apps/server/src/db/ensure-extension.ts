import { type Kysely, sql } from "kysely";
import { StartRefused } from "../config.ts";

/** Both extensions that we use are "trusted": the database's owner may create them, another user may not. */
export async function ensureExtension(db: Kysely<unknown>, name: "pg_trgm" | "btree_gin"): Promise<void> {
  try {
    await sql`create extension if not exists ${sql.id(name)}`.execute(db);
  } catch (error) {
    throw new StartRefused(
      `Leadline searches with PostgreSQL's extension ${name}, which the user of DATABASE_URL may not create, or which ` +
        `is not installed (it comes with postgresql-contrib). As a superuser run in that database: create extension ${name};`,
      { cause: error },
    );
  }
}
