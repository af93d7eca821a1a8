import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { Pool } from "pg";
import { StartRefused } from "../config.ts";
import { auditTables } from "./audited-tables.ts";
import { migrations } from "./migrations.ts";
import { appRole, searchRole } from "./app-role.ts";

/**
 * Migrates the database to the latest or the named migration, as its owner; after the latest, every table is audited.
 * Several Leadlines that start together take turns (an advisory lock).
 */
export async function migrate(ownerUrl: string, upTo?: string): Promise<void> {
  const pool = new Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 10_000 });
  pool.on("error", () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireVersion(db);
    for (const role of [appRole, searchRole]) await ensureRole(db, role);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      // Separate from the app's own tables, which are all under row-level security.
      migrationTableSchema: "leadline_migrations",
    });
    const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
    if (error !== undefined) {
      const failed = results?.find((result) => result.status === "Error")?.migrationName ?? "a migration";
      throw new StartRefused(`The database could not be brought up to date (${failed}): ${sentence(error)}`, {
        cause: error,
      });
    }
    if (upTo === undefined) await auditTables(db);
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`The database cannot be used: ${sentence(error)}`, { cause: error });
  } finally {
    await db.destroy();
  }
}

async function requireVersion(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  const version = rows[0]?.version ?? 0;
  if (version < 150_000) throw new StartRefused("Leadline needs PostgreSQL 15 or newer behind DATABASE_URL.");
}

/** Neither role owns data or can log in, and row-level security binds both. */
async function ensureRole(db: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql<{ usable: boolean; unsafe: boolean }>`
    select pg_has_role(current_user, oid, case when ${hasInheritOption} then 'set' else 'member' end) as usable,
      rolsuper or rolbypassrls as unsafe
    from pg_roles where rolname = ${name}`.execute(db);
  const role = rows[0];
  if (role?.unsafe === true) {
    throw new StartRefused(
      `The database role ${name} must be neither superuser nor BYPASSRLS. Run: alter role ${name} nosuperuser nobypassrls;`,
    );
  }
  if (role?.usable === true) return;
  const withoutRights = await inheritOption(db);
  try {
    await sql`
      do $$ begin
        create role ${sql.id(name)} nologin;
      exception when duplicate_object or unique_violation then null;
      end $$`.execute(db);
    await sql`grant ${sql.id(name)} to current_user ${sql.raw(withoutRights)}`.execute(db);
  } catch (error) {
    const user = await currentUserName(db);
    const commands = [appRole, searchRole].map(
      (each) => `create role ${each} nologin; grant ${each} to ${user}${withoutRights};`,
    );
    throw new StartRefused(
      `The user of DATABASE_URL may not create or use the role ${name}. As a superuser run: ${commands.join(" ")}`,
      { cause: error },
    );
  }
}

const hasInheritOption = sql<boolean>`current_setting('server_version_num')::int >= 160000`;

/** Since PostgreSQL 16, the owner may SET ROLE to these roles but doesn't inherit their rights. */
async function inheritOption(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ known: boolean }>`select ${hasInheritOption} as known`.execute(db);
  return rows[0]?.known === true ? " with inherit false" : "";
}

async function currentUserName(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_user) as name`.execute(db);
  return rows[0]?.name ?? "your_user";
}

function sentence(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(sentence).join("; ");
  return error instanceof Error ? error.message : String(error);
}
